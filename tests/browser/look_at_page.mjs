// Opens a page from disk in Chromium as people see it, and prints what is wrong
// with it as JSON: {"views": [names], "findings": [lines]}.
//
//   node look_at_page.mjs MODULES CHROMIUM PAGE [FOLDER_FOR_PICTURES]

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import path from "node:path";

const [modules, chromium, page, pictures] = process.argv.slice(2);
const from = createRequire(path.resolve(modules) + path.sep);
const playwright = from("playwright-core");
const axe = readFileSync(from.resolve("axe-core/axe.min.js"), "utf8");
const address = pathToFileURL(path.resolve(page)).href;
const views = ["light", "dark"].flatMap((colorScheme) =>
  [1280, 360].map((width) => ({ colorScheme, width })));
const findings = [];

async function look(browser, { colorScheme, width }) {
  const view = `${colorScheme} ${width}`;
  const say = (what) => findings.push(`${view}: ${what}`);
  const context = await browser.newContext({
    colorScheme, viewport: { width, height: 900 } });
  const tab = await context.newPage();
  tab.on("console", (message) => say(`console: ${message.text()}`));
  tab.on("pageerror", (error) => say(`error: ${error.message}`));
  tab.on("request", (request) => {
    if (request.url() !== address) say(`request: ${request.url()}`);
  });
  await tab.goto(address);
  if (pictures)
    await tab.screenshot({ fullPage: true,
      path: path.join(pictures, `${colorScheme}-${width}.png`) });
  await tab.evaluate(() => document.querySelectorAll("details")
    .forEach((one) => { one.open = true; }));
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth);
  if (wide > width) say(`${wide} px wide`);
  for (const text of await tab.evaluate(textsInTheWay)) say(text);
  await tab.evaluate(axe);
  const { violations } = await tab.evaluate(() => window.axe.run());
  for (const { id, help, nodes } of violations)
    say(`axe: ${id}: ${help}: ${nodes[0].html} (${nodes.length})`);
  await context.close();
  return view;
}

// Texts of a chart that lie on each other or outside of it.
function textsInTheWay() {
  const out = [];
  for (const chart of document.querySelectorAll("svg[role=img]")) {
    const frame = chart.getBoundingClientRect();
    const texts = [...chart.querySelectorAll("text")].map((one) =>
      ({ said: one.textContent, at: one.getBoundingClientRect() }));
    texts.forEach(({ said, at }, i) => {
      if (at.left < frame.left - 1 || at.right > frame.right + 1
          || at.top < frame.top - 1 || at.bottom > frame.bottom + 1)
        out.push(`"${said}" is not within its chart`);
      for (const { said: other, at: place } of texts.slice(i + 1))
        if (Math.min(at.right, place.right) - Math.max(at.left, place.left) > 1
            && Math.min(at.bottom, place.bottom)
               - Math.max(at.top, place.top) > 4)
          out.push(`"${said}" and "${other}" lie on each other`);
    });
  }
  return out;
}

const browser = await playwright.chromium.launch({
  executablePath: chromium,
  args: ["--no-sandbox"] }); // containers have none, and the pages are ours
const seen = [];
for (const view of views) seen.push(await look(browser, view));
await browser.close();
console.log(JSON.stringify({ views: seen, findings }));
