// SPDX-License-Identifier: MIT
// The HTML report in a real browser: node report.cjs CHROMIUM FILE.html. Prints TAP. The modules
// puppeteer-core and axe-core come from the folder that NODE_PATH names.
"use strict";
const puppeteer = require("puppeteer-core");
const fs = require("fs");

let number = 0;
let failed = 0;
const check = (right, words, detail = "") => {
  number++;
  failed += !right;
  console.log(`${right ? "ok" : "not ok"} ${number} - ${words}`);
  if (!right && detail) console.log(`# ${String(detail).replace(/\n/g, "\n# ")}`);
};

// A page that reports what it asks for and what it complains about.
const open = async (browser, file, options = {}) => {
  const page = await browser.newPage();
  page.requests = [];
  page.complaints = [];
  page.on("request", (request) => {
    if (!/^(file|data):/.test(request.url())) page.requests.push(request.url());
  });
  page.on("console", (message) => page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.message));
  await page.setJavaScriptEnabled(options.script !== false);
  await page.setViewport({ width: options.width || 1280, height: 1000 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: options.scheme || "light" },
    { name: "prefers-reduced-motion", value: options.motion || "reduce" }, // a click would miss what still scrolls
  ]);
  await page.setOfflineMode(true);
  await page.goto(`file://${file}`);
  return page;
};

const textOf = (page) => page.evaluate(() =>
  [...document.querySelectorAll("main h1, main h2, main h3, main p:not(.about), main td, main th, main dd, main figcaption, .stack code")]
    .map((element) => element.textContent).join("\n"));

const quiet = async (page, words) => {
  check(page.requests.length === 0, `${words}: asks nobody`, page.requests.join("\n"));
  check(page.complaints.length === 0, `${words}: no complaint on the console`, page.complaints.join("\n"));
};

const tables = async (page) => {
  const order = () => page.evaluate(() =>
    [...document.querySelectorAll("#parts tbody tr")].map((row) => Number(row.cells[2].dataset.v)));
  const click = () => page.click("#parts thead th:nth-child(3) button");
  await click();
  const falling = await order();
  check(falling.length > 2 && falling.every((v, i) => i === 0 || falling[i - 1] >= v), "a table sorts by a number, falling", falling);
  await click();
  const rising = await order();
  check(rising.every((v, i) => i === 0 || rising[i - 1] <= v), "and rising", rising);
  const said = await page.$eval("#parts thead th:nth-child(3)", (head) => head.getAttribute("aria-sort"));
  check(said === "ascending", "and says so", said);
  await page.type('.tools:has(+ .table #all-dumps) input', ".3.");
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll("#all-dumps tbody tr")].filter((row) => !row.hidden).map((row) => row.cells[0].textContent));
  check(shown.length > 0 && shown.every((name) => name.includes(".3.")), "a filter leaves the rows that hold the text", shown);
};

const frames = (page) => page.evaluate(() =>
  [...document.querySelectorAll('[data-chart="flame"] .hr-frame')].map((group) => ({
    name: group.querySelector("title").textContent,
    width: Number(group.querySelector("rect").getAttribute("width")),
    shown: group.style.display !== "none",
    found: group.classList.contains("found"),
  })));

const flame = async (page) => {
  const before = await frames(page);
  const chosen = before.findIndex((frame, i) => i > 0 && frame.width > 20 && frame.width < 700);
  await page.evaluate((i) =>
    document.querySelectorAll('[data-chart="flame"] .hr-frame')[i].dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })), chosen);
  const zoomed = await frames(page);
  check(Math.abs(zoomed[chosen].width - before[0].width) < 1, "a frame chosen fills the width", zoomed[chosen].width);
  check(zoomed[0].shown && Math.abs(zoomed[0].width - before[0].width) < 1, "its callers stay above it");
  check(zoomed.some((frame) => !frame.shown), "the others step aside");
  await page.click('[data-chart="flame"] .tools button');
  const back = await frames(page);
  check(JSON.stringify(back) === JSON.stringify(before), "and come back as they were");
  const name = before[chosen].name.split("\n").slice(-2)[0];
  await page.type('[data-chart="flame"] .tools input', name.slice(0, 24));
  const searched = await frames(page);
  check(searched[chosen].found && searched.filter((frame) => frame.found).length < searched.length, "a search marks the frames of that name");
  await page.focus('[data-chart="flame"] .drawing');
  // Down to the first frame that is narrower than the whole: only there is something to step aside.
  const narrow = (whole) => page.evaluate((width) => Number(document.activeElement.querySelector("rect")?.getAttribute("width")) < width - 1, whole);
  for (let depth = 0; depth < 12 && !(depth > 0 && (await narrow(before[0].width))); depth++) {
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  check((await frames(page)).some((frame) => !frame.shown) || before.length < 3, "the keyboard walks and zooms");
  await page.keyboard.press("Escape");
  check((await frames(page)).every((frame) => frame.shown), "and Escape comes back");
};

const hover = async (page) => {
  const place = await page.$eval('[data-chart="timeline"] .drawing svg', (svg) => {
    svg.scrollIntoView({ block: "center", behavior: "instant" });
    const box = svg.getBoundingClientRect();
    return { x: box.left + box.width * 0.4, y: box.top + box.height / 2 };
  });
  await page.mouse.move(place.x, place.y);
  const words = await page.$eval('[data-chart="timeline"] .readout', (box) => box.hidden ? "" : box.textContent);
  check(/iB/.test(words), "a chart reads its values out under the pointer", words);
};

const links = async (page) => {
  const lit = await page.evaluate(() => {
    const link = document.querySelector("[data-suspect]");
    link.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    return [...document.querySelectorAll(`[data-suspect="${link.dataset.suspect}"]`)].every((other) => other.classList.contains("lit"));
  });
  check(lit, "a suspect lights up wherever it is named");
  const dead = await page.evaluate(() =>
    [...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute("href")).filter((href) => !document.getElementById(href.slice(1))));
  check(dead.length === 0, "every link has its target", dead.join("\n"));
  const twice = await page.evaluate(() => {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    return ids.filter((id, i) => ids.indexOf(id) !== i);
  });
  check(twice.length === 0, "no id is given twice", twice.join("\n"));
};

// Nothing moves by itself for who asks for that, and something does for who does not.
const still = async (browser, file) => {
  for (const [motion, wanted] of [["reduce", "auto"], ["no-preference", "smooth"]]) {
    const page = await open(browser, file, { motion });
    const scrolls = await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior);
    check(scrolls === wanted, `motion ${motion}: a link scrolls ${wanted}`, scrolls);
    if (motion === "reduce") {
      const moving = await page.evaluate(() => {
        const lasts = (style) => [...style.transitionDuration.split(","), ...style.animationDuration.split(",")].some((time) => parseFloat(time) > 0);
        return [...document.querySelectorAll("*")].filter((element) => lasts(getComputedStyle(element))).map((element) => element.tagName);
      });
      check(moving.length === 0, "motion reduce: nothing is animated", moving.slice(0, 5));
    }
    await page.close();
  }
};

const accessible = async (page, words) => {
  // The policy of the page lets no other script in; the test's own comes by the debugger.
  await page.evaluate(fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const found = await page.evaluate(async () => (await window.axe.run()).violations.map((violation) =>
    `${violation.id}: ${violation.help}\n  ${violation.nodes.slice(0, 4).map((node) => node.html.slice(0, 160)).join("\n  ")}`));
  check(found.length === 0, `axe-core finds nothing (${words})`, found.join("\n"));
};

const main = async () => {
  const [, , chromium, file, kind] = process.argv;
  const browser = await puppeteer.launch({
    executablePath: chromium, headless: "new",
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
  const plain = await open(browser, file, { script: false });
  await quiet(plain, "without script");
  const words = await textOf(plain);
  const page = await open(browser, file);
  check(words.length > (kind === "trend" ? 500 : 2000) && words === await textOf(page), "without script it says the same");
  if (kind !== "trend") {
    await tables(page);
    await flame(page);
    await hover(page);
    await links(page);
  }
  await still(browser, file);
  await quiet(page, "with script");
  for (const [scheme, width] of [["light", 1280], ["dark", 1280], ["light", 390]]) {
    const fresh = await open(browser, file, { scheme, width });
    await accessible(fresh, `${scheme}, ${width} px`);
    const wide = await fresh.evaluate(() => document.documentElement.scrollWidth);
    check(wide <= width, `nothing juts out of ${width} px`, wide);
    const jutting = await fresh.evaluate(() => {
      document.querySelectorAll("main p, main li, figcaption, caption").forEach((element) => element.append("_name".repeat(40)));
      return document.documentElement.scrollWidth;
    });
    check(jutting <= width, `nor does a long name in the words at ${width} px`, jutting);
    await quiet(fresh, `${scheme}, ${width} px`);
    await fresh.close();
  }
  const paper = await page.pdf({ format: "A4" });
  check(paper.length > 20000, "it prints");
  await browser.close();
  console.log(`1..${number}`);
  process.exitCode = failed ? 1 : 0;
};
main().catch((error) => {
  console.log(`Bail out! ${error.stack}`);
  process.exitCode = 1;
});
