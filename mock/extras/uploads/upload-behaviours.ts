import { stringifyExact } from '../../../common/json.ts';
import { isJsonMedia, isRange, toEssence } from '../../../common/media-type.ts';
import { once } from '../../../common/once-per.ts';
import { valueAt } from '../../../common/property-path.ts';
import { toPlainName } from '../../../common/words.ts';
import type { Api, Content, Operation, Resource } from '../../../openapi/index.ts';
import { collectionsOf, findResource } from '../../../openapi/model/api.ts';
import { chooseContent } from '../../../openapi/model/content.ts';
import { createFindParent, itemPathsOf } from '../../../openapi/model/placements.ts';
import { idParameterOf } from '../../../openapi/model/resource.ts';
import { isolationOf } from '../../answers/answer.ts';
import type { Call } from '../../behaviours/behaviour.ts';
import type { Step } from '../../call/steps.ts';
import { findSuccess } from '../../documented/responses.ts';
import { toIds } from '../../items/named-items.ts';
import { mapNewItem } from '../../items/scoped-store.ts';
import { type Fields, fieldsOf } from '../../items/stored-item.ts';
import { type ByteText, toByteText } from '../../json/exact-json.ts';
import { createReadScopes, isInScopes, type ScopeValue } from '../../state/scopes.ts';
import type { ItemStore, StoredItem } from '../../state/store.ts';

/** A file as it was sent. */
type SentFile = { bytes: Buffer; name?: string; type: string };

/** The files of a sandbox in the memory of this process, by the serials of their items and their paths. */
const filesOf = ({ sandbox }: Call) => sandbox?.kept<SentFile>('files');

function keep(call: Call, address: string, file: SentFile): void {
  if (call.isLook) return;
  const files = filesOf(call);
  files?.delete(address);
  files?.set(address, file, file.bytes.length + 2 * (file.type.length + (file.name?.length ?? 0)));
}

/** Files that are sent are kept as they are: items tell their names and sizes, downloads give them back. */
export function createUploadStep(document: Api) {
  const findParent = createFindParent(collectionsOf(document));
  const takesFile = ({ otherBody, method }: Operation) =>
    method !== 'GET' &&
    otherBody?.contents.some((one) => hasFiles(one) || isOfBytes(document, one)) === true;
  const givesFile = (operation: Operation) =>
    operation.method === 'GET' &&
    (findSuccess(operation)?.contents ?? []).some((one) => isOfBytes(document, one));
  const withoutKind = document.operations.filter(({ kind }) => !kind);
  const [taking, giving] = [takesFile, givesFile].map((is) =>
    once(() => new Set(withoutKind.filter(is).map(({ path }) => path))),
  ) as [() => Set<string>, () => Set<string>];
  return (operation: Operation): Step<'around kind'> | undefined => {
    const { kind, method, path } = operation;
    const resource = findResource(document, operation);
    if (resource && kind === 'create' && operation.otherBody?.contents.some(hasFiles))
      return createUpload(resource);
    if (kind) return undefined;
    const isPair = taking().has(path) && giving().has(path);
    const parent = findParent(itemPathsOf(path).at(-1) ?? '');
    if (!parent && !isPair) return undefined;
    const place = createToPlace(document, { operation, parent, isPair });
    if (givesFile(operation)) {
      const contents = findSuccess(operation)?.contents ?? [];
      return createDownload(
        place,
        contents.filter((one) => isOfBytes(document, one)),
      );
    }
    const isRemoval = method === 'DELETE' && isPair;
    return isRemoval || takesFile(operation) ? createReplacement(place) : undefined;
  };
}

const hasFiles = ({ files }: Content) => Object.keys(files).length > 0;

/** Whether a content is bytes or a text, and neither JSON nor a form. */
function isOfBytes(document: Api, { mediaType, schema, isText }: Content): boolean {
  const isForm = /^(multipart\/.*|application\/x-www-form-urlencoded)$/.test(mediaType);
  if (isText || isForm) return isText === true && !isForm;
  if (schema && Object.keys(schema).length > 0)
    return document.schemas.resolve(schema).format === 'binary';
  return !isJsonMedia(mediaType);
}

/** Tells the address of a call's file: `own` for its path alone, `item` for the item in its path. */
type ToPlace = (call: Call) => Promise<{ own: string; item?: string }>;

function createToPlace(
  document: Api,
  about: { operation: Operation; parent: Resource | undefined; isPair: boolean },
): ToPlace {
  const { operation, parent, isPair } = about;
  const { path } = operation;
  const above = { ...operation, path: itemPathsOf(path).at(-1) ?? '' };
  const idParameter = idParameterOf(above) ?? '';
  const readScopes = parent && createReadScopes(parent, above);
  return async ({ params, store }) => {
    const fill = (text: string) =>
      text.replaceAll(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
    const { [idParameter]: id = '' } = await toIds(document, above, { store, params });
    const serial = parent && (await findSerial(store, parent, id, readScopes?.(params)));
    if (!parent || serial === undefined) return { own: fill(path) };
    const item = addressOf(parent, serial);
    return { own: isPair ? item + fill(path.slice(above.path.length)) : item, item };
  };
}

const addressOf = ({ name }: Resource, serial: number) => `${name}#${serial}`;

/** The number of an item that no later item gets, though it may get the same id. */
async function findSerial(
  store: ItemStore,
  { name, idProperty }: Resource,
  id: string,
  scopes: readonly ScopeValue[] = [],
): Promise<number | undefined> {
  const text = toByteText(JSON.stringify(id).slice(1, -1));
  const isMatch = (json: ByteText) => {
    if (!json.includes(text)) return false;
    const fields = fieldsOf(json);
    return String(valueAt(fields, idProperty)) === id && isInScopes(fields, scopes);
  };
  const [found] = await store.listSerial(name, { limit: 1, isMatch });
  return found?.serial;
}

/** Creates an item that tells of its file what its properties name, and keeps the file. */
function createUpload(resource: Resource): Step<'around kind'> {
  const { idProperty, item } = resource;
  const names = Object.keys(item.properties).filter((name) => name !== idProperty);
  const find = (words: RegExp) => names.find((name) => words.test(toPlainName(name)));
  const ofName = find(/^(original)?filename$/) ?? find(/^(original)?name$/);
  const ofSize = find(/^((file)?size|bytes|contentlength|length)$/);
  const ofType = find(/^(content|mime|media)type$/);
  return async (call, behave) => {
    const file = await sentFile(call);
    if (!file) return behave(call);
    const given = (call.body ?? {}) as Fields;
    const facts: [string | undefined, unknown][] = [
      [ofName, file.name],
      [ofSize, file.bytes.length],
      [ofType, file.type],
    ];
    const known = facts.filter(([name]) => name !== undefined && !Object.hasOwn(given, name));
    const told: Fields = Object.fromEntries(known);
    const tell = (json: ByteText) => toByteText(stringifyExact({ ...fieldsOf(json), ...told }));
    const telling = (item: StoredItem): StoredItem => ({ ...item, json: tell(item.json) });
    let made: StoredItem | undefined;
    const toKeeping = (store: ItemStore): ItemStore => ({
      ...store,
      async addAll(name, items, ensure) {
        const own = items.map((one) => mapNewItem(one, telling));
        const added = await store.addAll(name, own, ensure);
        made = added.items?.at(-1);
        return added;
      },
      transact: (act) => store.transact((inner) => act(toKeeping(inner))),
    });
    const { store } = call;
    const answer = await behave({ ...call, store: toKeeping(store) });
    const id = made && valueAt(fieldsOf(made.json), idProperty);
    const serial = made && (await findSerial(store, resource, String(id)));
    if (serial !== undefined) keep(call, addressOf(resource, serial), file);
    const isShown = 'json' in answer && answer.json !== '' && answer.status < 300;
    const isItem = isShown && valueAt(fieldsOf(answer.json), idProperty) !== undefined;
    return isItem ? { ...answer, json: tell(answer.json) } : answer;
  };
}

/** Returns the first file of a multipart form, which was already read. */
async function sentFile({ source, received }: Call): Promise<SentFile | undefined> {
  const type = source.headers['content-type'] ?? '';
  if (!received || toEssence(type) !== 'multipart/form-data') return undefined;
  const headers = { 'Content-Type': type };
  const form = await new Response(new Uint8Array(received), { headers }).formData();
  const file = [...form.values()].find((one) => typeof one !== 'string');
  if (!file) return undefined;
  return { bytes: Buffer.from(await file.arrayBuffer()), name: file.name, type: file.type };
}

/** Sends a stored file unchanged, as a documented media type; the documented response without one. */
function createDownload(toPlace: ToPlace, contents: readonly Content[]): Step<'around kind'> {
  const first = contents.find(({ mediaType }) => !isRange(mediaType));
  return async (call, behave) => {
    const answer = await behave(call);
    const { own, item = own } = await toPlace(call);
    const file = filesOf(call)?.get(own) ?? filesOf(call)?.get(item);
    if (!file || answer.status >= 300) return answer;
    const sent = file.type || 'application/octet-stream';
    const type = chooseContent(contents, sent) || !first ? sent : first.fullType;
    const json = file.bytes.toString('latin1') as ByteText;
    return {
      status: answer.status,
      json,
      overrides: { 'Content-Type': type, ...isolationOf(type) },
    };
  };
}

/** Keeps a body, or the file of its form, as that of a path or an item; removes it if none was sent. */
function createReplacement(toPlace: ToPlace): Step<'around kind'> {
  return async (call, behave) => {
    const answer = await behave(call);
    if (answer.status >= 300) return answer;
    const { received, source } = call;
    const type = source.headers['content-type'] ?? '';
    const file = (await sentFile(call)) ?? (received && { bytes: received, type });
    const { own } = await toPlace(call);
    if (file) keep(call, own, file);
    else if (!call.isLook) filesOf(call)?.delete(own);
    return answer;
  };
}
