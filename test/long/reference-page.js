// For a test of the reference pages, in the page: how well the text can be read.
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
