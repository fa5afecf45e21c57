import { isUntrusted } from '../../../common/cli/explain-connection.ts';
import type { Api } from '../../../openapi/index.ts';
import { requiredEnd } from '../../base-url.ts';
import type { Case } from '../../cases/case.ts';
import { type Answer, headerValue, isAnswered } from '../../transcript/exchange.ts';
import type { Session } from '../session.ts';
import { send } from './target.ts';

/**
 * Explains what is wrong with the target's address, which spares a long list of findings. The
 * target expects TLS, or every safe call was redirected, not found, or answered with a web page.
 * Undefined if one of the calls reached the interface.
 */
export async function explainAddress(
  session: Session,
  document: Api,
  cases: readonly Case[],
): Promise<string | undefined> {
  const { exchanges, target } = session.transcript;
  const [first] = exchanges.filter(isAnswered);
  if (first && (await isTlsPort(session, first)))
    return `speaks TLS, but was called without it. Give ${target.url.replace('http:', 'https:')} instead.`;
  const wrong = first && whatIsWrong(first);
  if (!first || !wrong) return undefined;
  const answers: Answer[] = [];
  for (const one of cases) {
    const known = exchanges.find((exchange) => exchange.case === one && isAnswered(exchange));
    const exchange = known ?? (await session.call(one, session.keys.budgets[0]));
    if (!exchange || !isAnswered(exchange) || whatIsWrong(exchange) !== wrong) return undefined;
    answers.push(exchange);
  }
  const what = `${first.case.method} ${first.case.path}`;
  if (wrong === 'redirect') return toRedirectAdvice(target.url, first, requiredEnd(document));
  const advice = `Is its path right? ${first.case.path} must be what follows it.`;
  return wrong === 'not-found'
    ? `knows none of the operations: it answers 404 to every call, e.g. ${what}. ${advice}`
    : `answers every call with a web page, e.g. ${what}, so this is not the address of the interface. ${advice}`;
}

/** Whether a 400 comes from a server that was asked over HTTP and speaks HTTPS. */
async function isTlsPort(session: Session, { case: testCase, response }: Answer): Promise<boolean> {
  const { url } = session.transcript.target;
  if (response.status !== 400 || !url.startsWith('http:')) return false;
  const secure = await send(
    url.replace('http:', 'https:'),
    { method: 'GET', path: testCase.path, headers: {} },
    { ...session.options, cutOff: session.cutOff },
  );
  return secure.response !== undefined || isUntrusted(secure.failure.message);
}

function whatIsWrong(exchange: Answer): 'redirect' | 'not-found' | 'web-page' | undefined {
  const { status, json } = exchange.response;
  if ([301, 302, 303, 307, 308].includes(status) && headerValue(exchange, 'Location') !== undefined)
    return 'redirect';
  // Of a path with parameters only the item may be unknown.
  if (status === 404 && !exchange.case.path.includes('{')) return 'not-found';
  const isPage =
    /^(text\/html|application\/xhtml)/i.test(headerValue(exchange, 'Content-Type') ?? '') &&
    json === undefined;
  return status < 300 && isPage ? 'web-page' : undefined;
}

function toRedirectAdvice(url: string, first: Answer, end: string): string {
  const { path, method } = first.case;
  const location = headerValue(first, 'Location') ?? '';
  const to = URL.parse(location, url + path);
  const redirects = `redirects every call, e.g. ${method} ${path} to ${to ? to.origin + to.pathname : 'no URL'}, and redirects are not followed.`;
  if (!to) return `${redirects} Give the address that answers without a redirect.`;
  const base = to.origin + to.pathname.replace(/\/+$/, '').slice(0, -path.length);
  const isSamePath = to.pathname.replace(/\/+$/, '').endsWith(path);
  if (isSamePath && base === url)
    return `${redirects} The interface has ${path} without the slash: make the target answer there.`;
  return isSamePath && base.endsWith(end)
    ? `${redirects} Give ${base} instead.`
    : `${redirects} Give the address that answers without a redirect.`;
}
