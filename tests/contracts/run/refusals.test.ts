import { expect, it } from 'vitest';
import type { Case } from '../../../contracts/cases/case.ts';
import { Refusals } from '../../../contracts/run/refusals.ts';
import { createValues } from '../../../contracts/run/values.ts';
import type { Answer } from '../../../contracts/transcript/exchange.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const lines = `GET /branches -> [{name: text}]
  POST /branches {name!: text, teams: [text], version: Version} -> 201 {name: text}, 422
  GET /projects/{project}/notes?since:date&ids:Ids&all:bool -> [object], 422
  POST /projects/{project}/pages {title: text, names: [text], isMain: bool, icon: Icon} -> object, 400`;
const version = {
  Version: '{kind!: Kind, form: text}',
  Kind: { type: 'string', enum: ['A', 'B'] },
  Icon: { type: 'string', description: 'An image in base64.' },
  Ids: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] },
};
const document = compile(documentOf(lines, version));
const values = createValues('c43e55');

/** Sends a call, which is refused with a text, and returns the path and the body of the next try. */
function askAgain(
  id: string,
  status: number,
  message: string,
  sent?: object,
  refusals = new Refusals(document, values.isMarked),
) {
  const operation = document.operations.find((one) => one.id === id);
  if (!operation) throw new Error(`no ${id}`);
  const { method, path } = operation;
  const kind = operation.kind === 'create' ? 'create' : 'call';
  const one = { operation, method, path, credential: 'valid', purpose: { kind } } as Case;
  const request = { method, path, headers: {}, ...(sent && { body: JSON.stringify(sent) }) };
  const response = { status, text: message, json: { message } };
  const isWorthAgain = refusals.learn({ case: one, request, response } as unknown as Answer);
  const fill = (text: string) => values.fill(text).text;
  const body = refusals.adjust(one, sent && JSON.stringify(sent), fill);
  const next = { path: refusals.address(one, path, fill), body: body && JSON.parse(body) };
  return isWorthAgain ? next : undefined;
}

const fresh = expect.stringMatching(/^c43e55[0-9a-f]{6}$/);

it('asks again with the parameters of a query that a refusal names, but for flags', () => {
  const said = 'Set all=true, or supply since or ids.';
  const { path = '' } = askAgain('GET /projects/{project}/notes', 422, said) ?? {};
  const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
  expect(query).toEqual({ since: expect.stringMatching(/^20/), ids: fresh });
  expect(askAgain('GET /projects/{project}/notes', 404, said)).toBeUndefined();
});

it('sends a list that is missed with an item', () => {
  const { body } =
    askAgain('POST /branches', 422, '[Teams]: Required', { name: 'a', teams: [] }) ?? {};
  expect(body).toEqual({ name: 'a', teams: [fresh] });
});

it('sends a name of one word where nothing says what is wrong', () => {
  const { body } = askAgain('POST /branches', 422, 'GitRefName', { name: 'created c43e55' }) ?? {};
  expect(body).toEqual({ name: fresh });
});

it('sends the next value of a list for a member that a refusal names, at any depth', () => {
  const sent = { name: 'c43e55000000', version: { kind: 'A' } };
  const { body } = askAgain('POST /branches', 422, 'Kind does not match', sent) ?? {};
  expect(body).toEqual({ ...sent, version: { kind: 'B' } });
});

it('calls an action with all members where nothing is named', () => {
  const { body } = askAgain('POST /projects/{project}/pages', 400, 'no', {}) ?? {};
  expect(body).toEqual({ title: fresh, names: [fresh], isMain: false, icon: fresh });
});

it('sends a file where one in base64 is refused', () => {
  const refusals = new Refusals(document, values.isMarked);
  const page = 'POST /projects/{project}/pages';
  const first = askAgain(page, 400, 'icon is required', {}, refusals);
  expect(first?.body).toEqual({ icon: fresh });
  const { body } = askAgain(page, 500, 'icon: unknown format', first?.body, refusals) ?? {};
  expect(body).toEqual({ icon: expect.stringMatching(/^iVBORw0KGgo/) });
});
