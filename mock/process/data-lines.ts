import { type ApiDocument, builtInDocument } from '../../contracts/description/document.ts';
import { toShellWord } from '../curl/shell.ts';
import { answerSourceOf, describeStateless } from '../documented/answer-source.ts';
import type { GivenData } from '../items/given-items.ts';
import type { SandboxSettings } from '../sandboxes/sandbox-options.ts';
import type { Config } from '../settings/settings.ts';
import { StoreUnavailableError } from '../state/store.ts';
import type { Twin } from '../twin.ts';

type Line = [label: string, text: string];

/**
 * What there is at the start, and which operations keep state; how to see why, where the document
 * is another one.
 */
export async function toDataLines(
  { app, document }: Pick<Twin, 'app' | 'document'>,
  { data: given, store, spec = '', overlay, allowRefs, explain }: Config & { explain: string },
): Promise<Line[]> {
  const { operations, file } = document;
  const start = app.served.data
    ? toGivenLine(app.served.data, given ?? 'data')
    : toDataLine(document, app.served.initialState.settings);
  const data = store === 'memory' ? start : start + (await toStoredPhrase(app));
  const stateless = describeStateless(document);
  if (file === builtInDocument)
    return [['Data', stateless === '' ? data : `${data}; stateless: ${stateless}`]];
  const corrected = overlay === undefined ? [] : ['--overlay', overlay];
  const allowed = allowRefs === undefined ? [] : ['--allow-refs', allowRefs];
  const words = [spec, ...corrected, ...allowed].map(toShellWord);
  const count = operations.filter((one) => answerSourceOf(one) === 'store').length;
  return [
    ['Data', data],
    [
      'State',
      `in ${count} of ${operations.length} operations; see ${[explain, ...words].join(' ')}`,
    ],
    ...(stateless === '' ? [] : [['', `stateless: ${stateless}`] as Line]),
  ];
}

function toDataLine(
  { resources, singletons }: ApiDocument,
  { seed, items = 0 }: Pick<SandboxSettings, 'seed' | 'items'>,
): string {
  const count = items.toLocaleString('en');
  // How many items are below others depends on these.
  const [nested = [], own = []] = [true, false].map((isNested) =>
    resources.filter(({ scope }) => (scope !== undefined) === isNested),
  );
  const names = own.slice(0, maxNamed).map(({ name }) => name);
  const more = own.length - names.length;
  const others = more > 0 ? ` and ${more.toLocaleString('en')} more` : '';
  const below =
    nested.length === 0
      ? ''
      : `, and items of ${nested.length.toLocaleString('en')} nested ${nested.length === 1 ? 'collection' : 'collections'}`;
  const single = describeSingles(singletons.map(({ path }) => path));
  if (resources.length === 0)
    return single ?? 'none: the document has no collection that the twin can store';
  return `seed ${seed}, ${count} ${names.length === 1 ? names[0] : `each of ${names.join(', ')}${others}`}${below}${single === undefined ? '' : `, and ${single}`}`;
}

function describeSingles(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length - maxNamed;
  const names = paths.slice(0, maxNamed).join(', ');
  return `the single ${paths.length === 1 ? 'object' : 'objects'} ${names}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`;
}

const maxNamed = 8;

/** How many items a store holds now, where these are others than those to begin with. */
async function toStoredPhrase({ served, sandboxes, store }: Twin['app']): Promise<string> {
  try {
    await sandboxes.defaultSandbox.refresh?.();
  } catch (error) {
    // A server that is gone may be back at the first request.
    if (!(error instanceof StoreUnavailableError)) throw error;
    return '';
  }
  const { seeds } = served.initialState;
  const counts = Object.keys(seeds).map(async (name) => ({
    name,
    count: await store.count(name),
    atStart: seeds[name]?.items.length,
  }));
  const all = await Promise.all(counts);
  if (all.every(({ count, atStart }) => count === atStart)) return '';
  const phrases = all.map(({ name, count }) => `${count.toLocaleString('en')} ${name}`);
  return ` at the start, ${phrases.join(', ')} now`;
}

function toGivenLine({ collections, isSnapshot }: GivenData, file: string): string {
  const counts = Object.entries(collections).map(
    ([name, { items }]) => `${items.length.toLocaleString('en')} ${name}`,
  );
  return `${counts.join(', ')} of ${file}${isSnapshot ? ', a snapshot, without its clock, limits and settings' : ''}`;
}
