import { expect } from 'vitest';
import { animal, type BadInputs, forEach, post } from '../../support/bad-input.ts';

const typed = (name: string) => post(`{"name":${name},"categoryId":1}`);

/** Texts that are valid names (a name is any string, §2) and have to come back to the letter. */
const texts: [name: string, text: string][] = [
  ['an empty name', ''],
  ['a name of 1 MB', 'a'.repeat(1_000_000)],
  ['a lone surrogate', 'Rex \ud800 Rex'],
  ['U+0000', 'Rex\0Rex'],
  ['noncharacters', '\ufffe\uffff\ufdd0\u{1fffe}'],
  ['bidirectional controls', '\u202exeR\u202c \u2066a\u2069 \u200f'],
  ['stacked accents', `R${'\u0301\u0330\u0489'.repeat(200)}ex`],
  ['joined emoji', '👩‍👩‍👧‍👦🏳️‍🌈'],
  ['a composed accent', '\u00e9'],
  ['a combining accent', 'e\u0301'],
  ['a script', '<script>alert(1)</script>'],
  ['the end of a script', '</script><!--'],
  ['an image with a handler', '"><img src=x onerror=alert(1)>'],
  ['a template', '{{7*7}}'],
  ['a template literal', '$' + '{7*7} #{7*7} <%= 7*7 %>'],
  ['an SQL quote', "Robert'); DROP TABLE pets;--"],
  ['a formula', "=cmd|' /C calc'!A0"],
  ['a formula with @', '@SUM(1+1)'],
  ['a formula after a tab', '\t=1+1'],
  [
    'escapes that steer a terminal',
    '\u001b[2J\u001b]8;;http://evil.example\u0007x\u001b]8;;\u0007\u001b]52;c;eA==\u0007\u009b2J',
  ],
  ['a line that forges a log', 'Rex\r\nGET /v1/pets 200 0.1 ms'],
  ['the end of a CDATA section', ']]>'],
];

/** String fields. */
export const stringFields: BadInputs = {
  ...forEach(texts, (text) => [
    typed(JSON.stringify(text)),
    201,
    {
      check: ({ answers }, { lines }) => {
        expect(JSON.parse(answers[0]?.text ?? '').name).toBe(text);
        expect(lines.filter((line) => !/^[ -~]*\n$/.test(line))).toEqual([]);
        if (text.length > 5) expect(lines.filter((line) => line.includes(text))).toEqual([]);
      },
    },
  ]),
  'a name of 1 MiB': [typed(JSON.stringify('a'.repeat(1024 * 1024))), 'payload_too_large'],
  'a number for a name': [typed('1'), 'invalid_body'],
  'true for a name': [typed('true'), 'invalid_body'],
  'an object for a name': [typed('{"length":3}'), 'invalid_body'],
  'an array for a name': [typed('["Rex"]'), 'invalid_body'],
  'null for a name': [typed('null'), 'invalid_body'],
  'a text for a categoryId': [post('{"name":"Rex","categoryId":"1"}'), 'invalid_body'],
  'null for a status': [post('{"name":"Rex","categoryId":1,"status":null}'), 'invalid_body'],
  'an unknown status': [post('{"name":"Rex","categoryId":1,"status":"Sold"}'), 'invalid_body'],
  // They are dropped, and id is given by the service.
  'fields that are not described': [
    post(`{"id":1,"weight":3,${animal.slice(1)}`),
    201,
    {
      check: ({ answers }) => {
        const pet = JSON.parse(answers[0]?.text ?? '');
        expect(pet).toEqual({ id: expect.any(Number), name: 'Rex', categoryId: 1 });
        expect(pet.id).toBeGreaterThan(120);
      },
    },
  ],
};
