// Looks at pages of `brewery ui` in Chromium, each once, dark and narrow, and prints
// what is wrong as JSON: {"views": [names], "findings": [lines]}.
//
//   node show_places.mjs MODULES CHROMIUM ADDRESS PLACES [FOLDER_FOR_PICTURES]
//
// PLACES is JSON: addresses behind the # by name, each with a text that must show.

import { watcher } from "./page_look.mjs";

const [modules, chromium, address, given, pictures] = process.argv.slice(2);
const { lookOnce, end } =
  await watcher({ modules, chromium, address, pictures });
await lookOnce(JSON.parse(given));
await end();
