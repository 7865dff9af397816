// How long views of a large run take in Chromium, from the address to what they
// show, as lines of text. bench/ui/large_run.py runs it.
//
//   node in_browser.mjs MODULES CHROMIUM ADDRESS VIEWS
//
// VIEWS is JSON: [name, address behind the #, selector, how many of it]. Each is
// opened in a tab of its own, so nothing is kept from the view before.

import { createRequire } from "node:module";
import path from "node:path";

const [modules, chromium, address, views] = process.argv.slice(2);
const from = createRequire(path.resolve(modules) + path.sep);
const browser = await from("playwright-core").chromium.launch({
  executablePath: chromium,
  args: ["--no-sandbox"] }); // containers have none, and the pages are ours

/// Milliseconds from `act` until `count` elements of `selector` are painted.
async function timed(tab, act, selector, count) {
  const began = performance.now();
  await act();
  await tab.waitForFunction(([one, many]) =>
    document.querySelectorAll(one).length >= many, [selector, count],
    { polling: "raf", timeout: 120_000 });
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  return performance.now() - began;
}

for (const [name, hash, selector, count] of JSON.parse(views)) {
  const tab = await browser.newPage();
  const first = await timed(tab, () => tab.goto(`${address}#${hash}`), selector,
                            count);
  let more = "";
  const node = tab.locator(".tree a[href]").nth(1);
  if (await node.count()) {
    const click = await timed(tab, () => node.dispatchEvent("click"),
                              `.tree a[aria-current][id=version-1]`, 1);
    const folds = tab.locator(".tree .fold[aria-label^=Unfold]");
    if (await folds.count()) {
      const drawn = await tab.locator(".tree circle").count();
      const unfold = await timed(tab, () => folds.last().dispatchEvent("click"),
                                 ".tree circle", drawn + 1);
      more = `, ${drawn} drawn, more unfolded ${unfold.toFixed(0)} ms`;
    }
    more = `, another version ${click.toFixed(0)} ms${more}`;
  }
  const text = tab.getByLabel("Text in steps");
  if (await text.count()) {
    await text.fill("step 4999");
    const found = await timed(tab, () => text.press("Enter"),
                              "#step-5000", 1);
    more = `, a text found after ${found.toFixed(0)} ms`;
  }
  console.log(`${name}: ${first.toFixed(0)} ms${more}`);
  await tab.close();
}
await browser.close();
