import { expect, it } from 'vitest';
import { locateInYaml } from '../../../mock/files/data-json.ts';

const yaml = `# comment
pets:
  - &rex
    name: "Rex"
    'tag/s': [a, {b~c: 1}]
    empty:
  - *rex
"quoted": |
  text
`;

/** The text from each place on, as far as a line goes. */
function found(text: string, offsets: Map<string, number>): Record<string, string | undefined> {
  return Object.fromEntries(
    [...offsets].map(([pointer, at]) => [pointer, text.slice(at).split('\n')[0]]),
  );
}

it('finds values in YAML, and what would hold those that are missing', () => {
  const pointers = [
    '',
    '/pets/0',
    '/pets/0/name',
    '/pets/0/tag~1s/1/b~0c',
    '/pets/0/empty',
    '/pets/0/none/deeper',
    '/pets/1',
    '/pets/7',
    '/quoted',
  ];
  expect(found(yaml, locateInYaml(yaml, pointers))).toEqual({
    '': 'pets:',
    '/pets/0': 'name: "Rex"',
    '/pets/0/name': 'Rex"',
    '/pets/0/tag~1s/1/b~0c': '1}]',
    '/pets/0/empty': 'empty:',
    '/pets/0/none/deeper': 'name: "Rex"',
    '/pets/1': 'rex',
    '/pets/7': '- &rex',
    '/quoted': '  text',
  });
});
