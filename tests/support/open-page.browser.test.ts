import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { expectAccessible, usePages } from './open-page.ts';

const openPage = usePages();

/** A page that is right, but for a style and contents. */
const toUrl = (style: string, contents = '') =>
  `data:text/html,${encodeURIComponent(
    `<!doctype html><html lang="en"><title>A page</title>
    <style>:root { color: black; background: white } ${style}</style>
    <main><h1>A page</h1><p>Some text.</p>${contents}</main></html>`,
  )}`;

const at = (width: string, rules: string) => `@media (${width}) { ${rules} }`;
const [narrow, wide] = ['max-width: 400px', 'min-width: 1000px'];
const [light, dark] = ['prefers-color-scheme: light', 'prefers-color-scheme: dark'];
const faint = 'p { color: #ccc }';
const unnamed = '<button></button>';
const link = 'a { color: #222; text-decoration: none }';

it.each<[where: string, url: string, found: object]>([
  ['narrow and light', toUrl(at(`${narrow}) and (${light}`, faint)), contrast('light', 360)],
  ['narrow and dark', toUrl(at(`${narrow}) and (${dark}`, faint)), contrast('dark', 360)],
  ['wide and light', toUrl(at(`${wide}) and (${light}`, faint)), contrast('light', 1280)],
  ['wide and dark', toUrl(at(`${wide}) and (${dark}`, faint)), contrast('dark', 1280)],
  [
    'dark, a link that only its colour shows',
    toUrl(at(dark, link), '<p>Read <a href="/a">more</a> of it.</p>'),
    { width: 360, dark: ['link-in-text-block: a'] },
  ],
  [
    'wide, a control without a name',
    toUrl(at(narrow, 'button { display: none }'), unnamed),
    { width: 1280, light: ['button-name: button'] },
  ],
  [
    'narrow, a control without a name',
    toUrl(at(wide, 'button { display: none }'), unnamed),
    { width: 360, light: ['button-name: button'] },
  ],
  [
    'narrow, a page that is wider than its window',
    toUrl('h1 { width: 500px; margin: 0 } body { margin: 0 }'),
    { width: 360, overflow: 140 },
  ],
  [
    'an error',
    toUrl('', '<script>undefinedName</script>'),
    { problems: ['error: undefinedName is not defined'] },
  ],
])('finds what is wrong in one look alone: %s', async (_, url, found) => {
  const look = expectAccessible(openPage, url, undefined, [360, 1280]);
  const thrown = await look.catch((error: unknown) => error);
  expect(thrown).toMatchObject({ actual: found });
});

function contrast(scheme: 'light' | 'dark', width: number) {
  const none = { light: [], dark: [], overflow: 0, problems: [] };
  return { ...none, width, [scheme]: ['color-contrast: p'] };
}

it('finds nothing wrong in a page that is right', () => expectAccessible(openPage, toUrl('')));

it('has nothing but colours change in the dark, as only the rules of colours run there', () => {
  const styles = globSync('{common,contracts,mock,reference}/**/*.css').map((file) =>
    readFileSync(file, 'utf8'),
  );
  const text = styles.join('\n');
  expect(text).not.toContain('prefers-color-scheme');
  const colours = text.match(/--[\w-]+: light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);/g) ?? [];
  expect(colours.length).toBeGreaterThan(0);
  expect(text.match(/light-dark\(/g)).toHaveLength(colours.length);
});
