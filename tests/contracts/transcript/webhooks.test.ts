import { expect, it } from 'vitest';
import { describeWebhooks, recognize } from '../../../contracts/transcript/webhooks.ts';
import { compile } from '../../../openapi/index.ts';
import { toDocument } from '../../support/serve-document.ts';

const form = 'application/x-www-form-urlencoded';
const paid = {
  type: 'object',
  required: ['state', 'sum'],
  properties: { state: { enum: ['paid', 'failed'] }, sum: { type: 'integer' } },
};
const post = (content: object) => ({ post: { requestBody: { content }, responses: { 204: {} } } });

/** The problems of a callback of an operation whose body is described, or why it is not judged. */
async function judge(content: object, type: string, body: string) {
  const callbacks = { done: { '{$request.body#/url}': post(content) } };
  const pay = { operationId: 'pay', callbacks, responses: { 202: { description: 'Fine.' } } };
  const described = describeWebhooks(compile(toDocument({ '/pay': { post: pay } })));
  const headers = [['Content-Type', type]] as const;
  const received = {
    method: 'POST',
    url: '/x',
    headers,
    body: Buffer.from(body),
    at: 0,
    status: 204,
  };
  const found = recognize(received, described, -1);
  return typeof found === 'string' ? found : found.problems.map(({ problem }) => problem);
}

it.each<[content: object, type: string, body: string, expected: string | string[]]>([
  [{ 'application/json': { schema: paid } }, 'application/json', '{"state":"paid","sum":1}', []],
  [
    { 'application/json': { schema: paid } },
    'application/json',
    '{"state":"paid"}',
    ['sum is missing; it is required'],
  ],
  [{ [form]: { schema: paid } }, form, 'state=paid&sum=7', []],
  [
    { [form]: { schema: paid } },
    form,
    'state=paid&sum=much',
    ['sum is the string "much"; an integer is stated'],
  ],
  [
    { 'text/plain': { schema: { type: 'string', enum: ['paid'] } } },
    'text/plain',
    'failed',
    ['the body is the string "failed"; "paid" is stated'],
  ],
  [
    { 'application/xml': { schema: paid } },
    'application/xml',
    '<a/>',
    'POST /x: its body is no JSON',
  ],
  [{ [form]: { schema: paid } }, 'text/plain', 'paid', 'POST /x: its body is no JSON'],
])('judges a callback of %j as %s: %s', async (content, type, body, expected) => {
  expect(await judge(content, type, body)).toEqual(expected);
});
