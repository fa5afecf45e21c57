import type { Health } from '../own-pages.ts';

/** How often it asks for news, in milliseconds. */
const interval = 2000;

const state = find('state');
const automatic = find('automatic') as HTMLInputElement;
const update = find('update') as HTMLButtonElement;
const frame = find('report') as HTMLIFrameElement;
/** What the report that is shown counts. */
let shown: string | undefined;
let latest: string | undefined;

update.addEventListener('click', load);
void ask();

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no ${id}.`);
  return element;
}

async function ask(): Promise<void> {
  try {
    const health = (await (await fetch('health', { cache: 'no-store' })).json()) as Health;
    latest = toText(health);
    shown ??= latest;
    tell(latest, 'live');
    if (automatic.checked && !document.hidden && latest !== shown) load();
  } catch {
    tell('The proxy has ended. This is what it had found.', 'ended');
  }
  setTimeout(ask, interval);
}

function tell(text: string, kind: string): void {
  if (state.textContent !== text) state.textContent = text;
  state.dataset.kind = kind;
  automatic.disabled = update.disabled = kind === 'ended';
}

function toText({ passed, dropped, findings }: Health): string {
  const number = (value: number) => value.toLocaleString('en');
  const parts = Object.entries(findings).map(([verdict, count]) => `${count} ${verdict}`);
  return [
    `${number(passed)} ${passed === 1 ? 'call' : 'calls'}`,
    ...(dropped > 0 ? [`${number(dropped)} too fast to be judged`] : []),
    parts.length > 0 ? `findings: ${parts.join(', ')}` : 'no findings',
  ].join(' · ');
}

/** Loads the report anew; the browser keeps the place of its reader. */
function load(): void {
  shown = latest;
  frame.contentWindow?.location.reload();
}
