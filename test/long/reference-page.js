// For a test of the reference pages, in the page: what is done there by clicks, and how well the text can be read.
/** The least contrast of the text in an element, as WCAG 2.2 counts it, with that text. */
globalThis.leastContrast = (root) => {
  const channelsOf = (color) => {
    const [red, green, blue, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return [red, green, blue, alpha];
  };
  const luminance = ([red, green, blue]) => {
    const [r, g, b] = [red, green, blue]
      .map((channel) => channel / 255)
      .map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = ([red, green, blue, alpha], below) =>
    [red, green, blue].map((channel, at) => channel * alpha + below[at] * (1 - alpha));
  const backgroundOf = (element) => {
    if (element === null) return [255, 255, 255];
    const color = channelsOf(getComputedStyle(element).backgroundColor);
    return color[3] === 1 ? color.slice(0, 3) : over(color, backgroundOf(element.parentElement));
  };

  let least = { ratio: 21, of: '' };
  const seen = new Set();
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement, textContent } = texts.currentNode;
    const style = getComputedStyle(parentElement);
    const kind = `${style.color} ${parentElement.className} ${parentElement.parentElement.className}`;
    if (textContent.trim() === '' || seen.has(kind) || !parentElement.checkVisibility()) continue;
    seen.add(kind);
    const background = backgroundOf(parentElement);
    const ink = over(channelsOf(style.color), background);
    const [dark, light] = [luminance(ink), luminance(background)].sort((one, other) => one - other);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < least.ratio)
      least = { ratio, of: `${style.color} on rgb(${background.map(Math.round)}): ${textContent}` };
  }
  return least;
};

/** Looks every few milliseconds, and not once a frame: a long page takes most of its time to be painted. */
const until = async (what, look) => {
  for (const deadline = performance.now() + 20_000; ; ) {
    const found = look();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`waited for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** How many requests the page has sent. */
let sent = 0;
const fetchOnly = globalThis.fetch;
globalThis.fetch = (...request) => {
  sent += 1;
  return fetchOnly(...request);
};

const lineOf = (id) => document.getElementById(id).closest('.operation');

/** Opens an operation; done when it can be executed. */
globalThis.openOperation = async (id) => {
  lineOf(id).querySelector('.row button').click();
  await until(`${id} to open`, () => lineOf(id).querySelector('[aria-busy="false"] .execute'));
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }));
};

/** Executes what an open operation shows; answers what it shows then, and how well that can be read. It closes after it. */
globalThis.executeOperation = async (id) => {
  const line = lineOf(id);
  const before = sent;
  line.querySelector('.execute').click();
  await until(`${id} to be sent`, () => sent > before);
  // Looked for anew each time: the page may draw the operation once more.
  const find = () => line.querySelector('.live-responses-table .response');
  const answer = await until(`the answer of ${id}`, find);
  const shown = {
    status: answer.querySelector('.response-col_status').innerText.trim(),
    text: answer.querySelector('.response-col_description').textContent,
    contrast: leastContrast(line),
  };
  line.querySelector('.row button').click();
  return shown;
};

/** Every operation that the page has a line for: its name, method, path and words. */
globalThis.namedOperations = () =>
  [...document.querySelectorAll('.operation:not(.event)')].map((line) => {
    const heading = line.querySelector('h3');
    const words = heading.textContent.replace(/[\u200b#]/g, '').trim();
    const method = line.querySelector('.method').textContent;
    return [heading.id, method, line.querySelector('.words code').textContent, words].join(' ');
  });
