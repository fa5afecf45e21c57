import { expect } from 'vitest';
import { animal, type BadInput, post } from '../../support/bad-input.ts';

const invalid = { status: 400, code: 'invalid_body' } as const;
const typed = (name: string) => post(`{"name":${name},"categoryId":1}`);

/** Texts that are valid names (a name is any string, §2) and have to come back to the letter. */
const texts: [id: number, name: string, text: string][] = [
  [161, 'an empty name', ''],
  [162, 'a name of 1 MB', 'a'.repeat(1_000_000)],
  [163, 'a lone surrogate', 'Rex \ud800 Rex'],
  [164, 'U+0000', 'Rex\0Rex'],
  [165, 'noncharacters', '\ufffe\uffff\ufdd0\u{1fffe}'],
  [166, 'bidirectional controls', '\u202exeR\u202c \u2066a\u2069 \u200f'],
  [167, 'stacked accents', `R${'\u0301\u0330\u0489'.repeat(200)}ex`],
  [168, 'joined emoji', '👩‍👩‍👧‍👦🏳️‍🌈'],
  [169, 'a composed accent', '\u00e9'],
  [169, 'a combining accent', 'e\u0301'],
  [170, 'a script', '<script>alert(1)</script>'],
  [170, 'the end of a script', '</script><!--'],
  [170, 'an image with a handler', '"><img src=x onerror=alert(1)>'],
  [171, 'a template', '{{7*7}}'],
  [171, 'a template literal', '$' + '{7*7} #{7*7} <%= 7*7 %>'],
  [172, 'an SQL quote', "Robert'); DROP TABLE pets;--"],
  [173, 'a formula', "=cmd|' /C calc'!A0"],
  [173, 'a formula with @', '@SUM(1+1)'],
  [173, 'a formula after a tab', '\t=1+1'],
  [
    174,
    'escapes that steer a terminal',
    '\u001b[2J\u001b]8;;http://evil.example\u0007x\u001b]8;;\u0007\u001b]52;c;eA==\u0007\u009b2J',
  ],
  [175, 'a line that forges a log', 'Rex\r\nGET /v1/pets 200 0.1 ms'],
  [176, 'the end of a CDATA section', ']]>'],
];

/** String fields. */
export const stringFields: BadInput[] = [
  ...texts.map(
    ([id, name, text]): BadInput => ({
      id,
      name,
      send: typed(JSON.stringify(text)),
      status: 201,
      creates: 1,
      check: ({ answers }, { lines }) => {
        expect(JSON.parse(answers[0]?.text ?? '').name).toBe(text);
        expect(lines.filter((line) => !/^[ -~]*\n$/.test(line))).toEqual([]);
        if (text.length > 5) expect(lines.filter((line) => line.includes(text))).toEqual([]);
      },
    }),
  ),
  {
    id: 162,
    name: 'a name of 1 MiB',
    send: typed(JSON.stringify('a'.repeat(1024 * 1024))),
    status: 413,
    code: 'payload_too_large',
  },
  { id: 177, name: 'a number for a name', send: typed('1'), ...invalid },
  { id: 177, name: 'true for a name', send: typed('true'), ...invalid },
  { id: 177, name: 'an object for a name', send: typed('{"length":3}'), ...invalid },
  { id: 177, name: 'an array for a name', send: typed('["Rex"]'), ...invalid },
  { id: 177, name: 'null for a name', send: typed('null'), ...invalid },
  {
    id: 177,
    name: 'a text for a categoryId',
    send: post('{"name":"Rex","categoryId":"1"}'),
    ...invalid,
  },
  {
    id: 177,
    name: 'null for a status',
    send: post('{"name":"Rex","categoryId":1,"status":null}'),
    ...invalid,
  },
  {
    id: 177,
    name: 'an unknown status',
    send: post('{"name":"Rex","categoryId":1,"status":"Sold"}'),
    ...invalid,
  },
  {
    id: 178,
    name: 'fields that are not described',
    send: post(`{"id":1,"weight":3,${animal.slice(1)}`),
    status: 201,
    creates: 1,
    why: 'They are dropped, and id is given by the service.',
    check: ({ answers }) => {
      const pet = JSON.parse(answers[0]?.text ?? '');
      expect(pet).toEqual({ id: expect.any(Number), name: 'Rex', categoryId: 1 });
      expect(pet.id).toBeGreaterThan(120);
    },
  },
];
