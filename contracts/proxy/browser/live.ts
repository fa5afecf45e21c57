import type { Health } from '../own-pages.ts';

/** How often it asks for news, and how often it loads the report at most, in milliseconds. */
const interval = 2000;
const minAge = 6000;

const state = find('state');
const automatic = find('automatic') as HTMLInputElement;
const update = find('update') as HTMLButtonElement;
const frame = find('report') as HTMLIFrameElement;
let shown: Health | undefined;
let latest: Health | undefined;
let loadedAt = Date.now();

update.addEventListener('click', load);
frame.addEventListener('load', restore);
void ask();

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no ${id}.`);
  return element;
}

async function ask(): Promise<void> {
  try {
    latest = (await (await fetch('health', { cache: 'no-store' })).json()) as Health;
    shown ??= latest;
    setRunning(true);
    tell(toText(latest), 'live');
    if (automatic.checked && !document.hidden && isNews(latest)) load();
  } catch {
    setRunning(false);
    tell('The proxy has ended. This is what it had found.', 'ended');
  }
  setTimeout(ask, interval);
}

/** Whether it would update by itself, were the proxy to start again. */
let wasAutomatic = automatic.checked;

/** Where the proxy has ended there is nothing to update from. */
function setRunning(isRunning: boolean): void {
  if (isRunning === !update.disabled) return;
  if (!isRunning) wasAutomatic = automatic.checked;
  automatic.checked = isRunning && wasAutomatic;
  automatic.disabled = !isRunning;
  update.disabled = !isRunning;
}

/** A new kind of finding shows at once; more of the same can wait. */
function isNews(health: Health): boolean {
  if (!shown || countFindings(health) !== countFindings(shown)) return true;
  return health.passed !== shown.passed && Date.now() - loadedAt >= minAge;
}

function tell(text: string, kind: string): void {
  if (state.textContent !== text) state.textContent = text;
  state.dataset.kind = kind;
}

function toText({ passed, underWay, dropped, findings }: Health): string {
  const number = (value: number) => value.toLocaleString('en');
  const parts = Object.entries(findings).map(([verdict, count]) => `${count} ${verdict}`);
  return [
    `${number(passed)} ${passed === 1 ? 'call' : 'calls'}`,
    ...(underWay > 0 ? [`${number(underWay)} under way`] : []),
    ...(dropped > 0 ? [`${number(dropped)} too fast to be judged`] : []),
    parts.length > 0 ? `findings: ${parts.join(', ')}` : 'no findings',
  ].join(' · ');
}

function countFindings({ findings }: Health): number {
  return Object.values(findings).reduce((sum, count) => sum + count, 0);
}

/** Which parts were open, by their titles, and where the reader was before the report was reloaded. */
let place: { open: Map<string, boolean>; top: number } | undefined;

function load(): void {
  const page = frame.contentDocument;
  place = {
    open: new Map(detailsOf(page).map((details) => [titleOf(details), details.open])),
    top: page?.scrollingElement?.scrollTop ?? 0,
  };
  shown = latest;
  loadedAt = Date.now();
  frame.contentWindow?.location.reload();
}

function restore(): void {
  const page = frame.contentDocument;
  if (!place || !page) return;
  for (const details of detailsOf(page)) {
    const open = place.open.get(titleOf(details));
    if (open !== undefined) details.open = open;
  }
  page.scrollingElement?.scrollTo({ top: place.top, behavior: 'instant' });
}

function detailsOf(page: Document | null): HTMLDetailsElement[] {
  return [...(page?.querySelectorAll('details') ?? [])];
}

/** The title without numbers, as these grow. */
function titleOf(details: HTMLDetailsElement): string {
  return details.querySelector('summary')?.textContent.replace(/\d+/g, '#') ?? '';
}
