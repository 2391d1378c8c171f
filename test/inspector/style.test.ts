/** The styles of the inspector: colours are defined once, for both themes, and used by name. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

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
