// SPDX-License-Identifier: MIT
// Outputs as other people's readers see them.
#include "fuzz.h"

#include <glib.h>
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <qpdf/qpdf-c.h>

// libxml2 knows HTML 4: elements that came later are no fault.
static void take_problem(void *context, const xmlError *problem)
{
    const htmlParserCtxt *parser = context;
    if (problem->code != XML_HTML_UNKNOWN_TAG) {
        g_error("output.html:%d: %s (after %s)", problem->line, problem->message, parser->name);
    }
}

void fuzz_check_xml(const void *bytes, size_t size)
{
    xmlParserCtxt *parser = xmlNewParserCtxt();
    xmlDoc *tree = xmlCtxtReadMemory(parser, bytes, (int)size, "output.xml", NULL,
                                     XML_PARSE_NONET | XML_PARSE_HUGE);
    g_assert_true(tree && parser->wellFormed);
    xmlFreeDoc(tree);
    xmlFreeParserCtxt(parser);
}

void fuzz_check_html(const void *bytes, size_t size)
{
    htmlParserCtxt *parser = htmlNewParserCtxt();
    parser->sax->initialized = XML_SAX2_MAGIC; // or the next line is not looked at
    parser->sax->serror = (xmlStructuredErrorFunc)(void (*)(void))take_problem;
    xmlDoc *tree = htmlCtxtReadMemory(parser, bytes, (int)size, "output.html", "UTF-8",
                                      HTML_PARSE_NONET | HTML_PARSE_NOIMPLIED);
    g_assert_nonnull(tree);
    xmlFreeDoc(tree);
    htmlFreeParserCtxt(parser);
}

void fuzz_check_pdf(const void *bytes, size_t size)
{
    qpdf_data pdf = qpdf_init();
    qpdf_set_suppress_warnings(pdf, QPDF_TRUE);
    g_assert_false(qpdf_read_memory(pdf, "output.pdf", bytes, size, NULL) & QPDF_ERRORS);
    g_assert_true(qpdf_check_pdf(pdf) == QPDF_SUCCESS);
    qpdf_cleanup(&pdf);
}
