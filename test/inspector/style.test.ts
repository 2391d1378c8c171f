/** The styles of the inspector: colours are defined once, for both themes, and used by name. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const STYLE = readFileSync(new URL('../../inspector/style.css', import.meta.url), 'utf8');
const [, names = ''] = /:root \{([^}]*)\}/.exec(STYLE) ?? [];
const COLOUR = /#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i;

it('the styles have one palette, with a light and a dark value for each colour', () => {
  const colours = names.split(';').filter((line) => COLOUR.test(line));
  expect(colours.length).toBeGreaterThan(10);
  for (const line of colours) expect(line).toContain('light-dark(');
});

it('the styles use no other colours', () => {
  const rest = STYLE.replace(names, '').replaceAll(/\/\*.*?\*\//gs, '');
  expect(rest.split('\n').filter((line) => COLOUR.test(line))).toEqual([]);
});

/** The colours of a theme by their names. */
function themeOf(place: 1 | 2): Readonly<Record<string, string>> {
  const found = [...names.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)];
  return Object.fromEntries(found.map((one) => [one[1], one[1 + place] ?? '']));
}

/** The relative luminance of WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one = '', other = ''): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

it('the contrast is computed like in WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

describe.each([
  ['light', themeOf(1)],
  ['dark', themeOf(2)],
] as const)('the %s theme', (_, colours) => {
  const grounds = ['page', 'panel', 'hover'];

  it('has texts with a contrast of at least 4.5', () => {
    for (const text of ['ink', 'soft', 'accent', 'good', 'bad', 'waiting']) {
      for (const ground of grounds) {
        expect(contrast(colours[text], colours[ground]), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
    }
    expect(contrast(colours['accent-ink'], colours.accent)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(colours.panel, colours.bad)).toBeGreaterThanOrEqual(4.5);
  });

  it('has borders of fields, lines of pictures and a focus with a contrast of at least 3', () => {
    for (const line of ['border', 'focus']) {
      for (const ground of grounds) {
        expect(contrast(colours[line], colours[ground]), `${line} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

it('fields and pictures use the border with contrast', () => {
  const rules = STYLE.split('}').map((rule) => rule.split('{').map((part) => part.trim()));
  for (const [selector, declaration] of [
    [/^button,\s*select,\s*input$/, 'border: 1px solid var(--border)'],
    [/^textarea$/, 'border: 1px solid var(--border)'],
    [/^\.edge$/, 'stroke: var(--border)'],
    [/^\.state rect$/, 'stroke: var(--border)'],
  ] as const) {
    const bodies = rules.filter(([name = '']) => selector.test(name)).map(([, body = '']) => body);
    expect(bodies.join(), String(selector)).toContain(declaration);
  }
});
