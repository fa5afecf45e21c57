import { html } from 'htm/preact';
import { h, type JSX, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { toKeyed } from '../../../curl/place-key.ts';
import { shellOf } from '../../../curl/shell.ts';
import { type Call, toCurl } from '../../../curl/to-curl.ts';
import type { OperationView } from '../operation-view.ts';
import { type Admin, createAdmin } from './admin.ts';
import { compactJson } from './exact-json.ts';
import { type FormValues, toCall, toInitialValues } from './form-call.ts';
import { CopyButton, quoted } from './parts.ts';
import {
  createMark,
  type FoundEntry,
  findEntry,
  markHeader,
  type Outcome,
  sendCall,
  toTwinUrls,
} from './send-call.ts';
import { TryItFields } from './try-it-fields.ts';
import { TryItResult } from './try-it-result.ts';

const urls = toTwinUrls(new URL('../../../../../', import.meta.url));

/** Fills the place of a panel that tries the operation which it names. */
export function showPanel(place: HTMLElement): void {
  const { tryIt: id = '' } = place.dataset;
  render(h(TryIt, { id, admin: createAdmin() }), place);
}

/** A panel that sends a request to an operation, and shows what came back and why. */
function TryIt({ id, admin }: { id: string; admin: Admin }): JSX.Element {
  const [view, setView] = useState<OperationView>();
  const [problem, setProblem] = useState('');
  useEffect(() => {
    loadView(id).then(setView, () =>
      setProblem('The form cannot be loaded. Check that the mock is still running.'),
    );
  }, [id]);
  return html`
    <section aria-labelledby="try-it-title" id="try-it" class="try-it">
      <h2 id="try-it-title" tabIndex=${-1}>Try it</h2>
      <p class="note">Sends a real request to this twin.</p>
      ${
        view
          ? h(Form, { view, admin })
          : html`<p class="none" role="status">${problem === '' ? 'Loading ...' : problem}</p>`
      }
    </section>
  `;
}

async function loadView(id: string): Promise<OperationView> {
  const url = `${urls.root}__pages/operation.json?id=${encodeURIComponent(id)}`;
  const response = await fetch(url, { cache: 'no-store' });
  if (!response.ok) throw new Error(`The mock answered ${response.status}`);
  return (await response.json()) as OperationView;
}

/** A request that was sent, by the mark that finds it in the journal. */
type SentCall = { mark: string; outcome: Outcome };

function Form({ view, admin }: { view: OperationView; admin: Admin }): JSX.Element {
  const [values, setValues] = useState<FormValues>(() => toInitialValues(view));
  const call = toCall(view, values);
  const { problem, sending, sent, found, send, explain } = useSend(view, admin);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!sending) void send(call, values.key);
  };
  return html`
    <div class="stack">
      <form class="card stack" onSubmit=${submit}>
        ${h(TryItFields, { view, values, onChange: setValues })}
        ${h(CurlLine, { view, call, values })}
        <p role="alert" class="try-it-problem is-drift">${problem && quoted(problem)}</p>
        <p class="row">
          <button type="submit" class="primary" aria-busy=${sending !== undefined}>Send</button>
          ${sending && html`<button type="button" onClick=${() => sending.abort()}>Cancel</button>`}
          <span role="status" class="quiet">
            ${sending ? 'Waiting for the response ...' : ''}
          </span>
        </p>
      </form>
      ${
        sent &&
        h(TryItResult, {
          key: sent.mark,
          outcome: sent.outcome,
          found,
          admin,
          console: `${urls.root}__admin/console`,
          onRetry: () => void explain(sent),
        })
      }
    </div>
  `;
}

/** Sends calls of an operation, and finds the entries of the journal that explain the answers. */
function useSend(view: OperationView, admin: Admin) {
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState<AbortController>();
  const [sent, setSent] = useState<SentCall>();
  const [found, setFound] = useState<FoundEntry>();
  const latest = useRef('');
  const explain = async ({ mark }: SentCall) => {
    const next = await findEntry(mark, { admin, urls });
    if (latest.current === mark) setFound(next);
  };
  const send = async (call: Call | { problem: string }, key: string) => {
    if ('problem' in call) return setProblem(call.problem);
    const mark = createMark();
    const controller = new AbortController();
    latest.current = mark;
    setProblem('');
    setSent(undefined);
    setFound(undefined);
    setSending(controller);
    const places = key === '' ? [] : view.keyPlaces;
    const { target, headers } = toKeyed(call, places, key);
    const outcome = await sendCall(baseOf(view) + target, {
      method: view.method,
      headers: { ...headers, [markHeader]: mark },
      ...(call.body !== undefined && { body: call.body }),
      signal: controller.signal,
    });
    setSending(undefined);
    setSent({ mark, outcome });
    await explain({ mark, outcome });
  };
  return { problem, sending, sent, found, send, explain };
}

function baseOf({ basePath }: OperationView): string {
  return urls.root.replace(/\/$/, '') + basePath;
}

type CurlLineProps = { view: OperationView; call: Call | { problem: string }; values: FormValues };

/** The line that sends the same request; a key that was typed stays out of it. */
function CurlLine({ view, call, values: { key } }: CurlLineProps): JSX.Element | null {
  if ('problem' in call) return null;
  const isShown = view.keys.some((one) => one.key === key);
  const { body } = call;
  const oneLine = { ...call, ...(body !== undefined && { body: compactJson(body) }) };
  const keyPlaces = key === '' ? [] : view.keyPlaces;
  const line = toCurl({ method: view.method, keyPlaces }, oneLine, {
    base: baseOf(view),
    key: isShown ? key : '$KEY',
    trust: view.trust,
    shell: shellOf(navigator.userAgent),
  });
  return html`
    <div class="try-it-curl">
      <p class="text-title">curl${h(CopyButton, { text: line, about: 'the curl line' })}</p>
      <pre tabindex="0" role="group" aria-label="curl line">${quoted(line)}</pre>
    </div>
  `;
}
