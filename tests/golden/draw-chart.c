// SPDX-License-Identifier: MIT
// draw-chart NAME CHART AIR FILE.pdf: a chart of a sample by the painter of the PDF, in the size in
// which it stands in a file of its own, with as many points of AIR around it; for the test that
// compares the painters (tests/full/raster.py).
#include "sample.h"

#include "render/chart/cairo_painter.h"
#include "render/chart/find.h"
#include "render/chart/layout.h"
#include "render/renderer.h"

#include <cairo-pdf.h>

#define WIDTH 860.0
#define TEXT_SIZE 12.0

int main(int argc, char **argv)
{
    if (argc != 5) {
        return 2;
    }
    json_t *result = sample_result_read(argv[1]);
    HR_AUTO(hr_document) document = sample_document_new(result);
    json_decref(result);
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), NULL);
    g_assert_nonnull(renderer);
    const struct hr_chart *chart = hr_chart_find(document, argv[2], NULL);
    if (!chart) {
        return 1;
    }
    const struct hr_chart_space space = {.width = WIDTH, .text_size = TEXT_SIZE};
    HR_AUTO(hr_scene) scene = hr_chart_layout(renderer->fonts, chart, space);
    const double air = g_ascii_strtod(argv[3], NULL);
    cairo_surface_t *surface =
        cairo_pdf_surface_create(argv[4], scene->width + 2 * air, scene->height + 2 * air);
    cairo_t *cr = cairo_create(surface);
    hr_scene_draw(scene, renderer->fonts, cr, air, air);
    cairo_destroy(cr);
    cairo_surface_finish(surface);
    const cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    return status == CAIRO_STATUS_SUCCESS ? 0 : 1;
}
