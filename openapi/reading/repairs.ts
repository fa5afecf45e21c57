import { isObject } from '../../common/json.ts';
import { toToken } from '../../common/json-pointer.ts';
import { toPlainName } from '../../common/words.ts';
import { type RawDocument, resolveQuietly } from '../schema.ts';
import type { Fault } from './fault.ts';
import { fieldNamesOf, methods, type PartKind, type Place } from './parts.ts';
import type { Places } from './places.ts';

/** Finds what is read otherwise than it is written, in parts of some kinds. */
type Repair = {
  kinds: readonly PartKind[];
  find: (part: RawDocument, place: Place) => Fault[];
};

const withContent: readonly PartKind[] = ['request body', 'response', 'parameter', 'header'];
const listsOfTypes = ['consumes', 'produces'];

/** Repairs of documents of any version, each beside an example of what it mends. */
const repairs: readonly Repair[] = [
  // `GET:` in a path item, `Responses:` in an operation.
  { kinds: ['document', 'path item', 'operation', 'response'], find: findOtherCase },
  // `produces: [json]`, `content: {json: ...}`.
  { kinds: ['document', 'operation', ...withContent], find: findBareTypes },
  // `content: {application/json: {$ref: '#/components/mediaTypes/Pets'}}`.
  { kinds: withContent, find: findMediaReferences },
  // `/pets/{id}` whose parameter is named `ID`.
  { kinds: ['path item'], find: findOtherNames },
];

/**
 * Creates a visit that repairs a part in place, before the version of its document matters: `warn`
 * gets each fault before it is mended. `places` gets what is moved.
 */
export function createRepair(places: Places, warn: (fault: Fault) => void) {
  return (part: unknown, place: Place): void => {
    if (place.kind === 'schema' || !isObject(part)) return;
    for (const { kinds, find } of repairs)
      for (const fault of kinds.includes(place.kind) ? find(part, place) : []) {
        warn(fault);
        places.noteAll(part, places.find(place.root, place.pointer));
        fault.mend();
      }
  };
}

function rename(holder: RawDocument, before: string, after: string): () => void {
  return () => {
    const entries = Object.entries(holder);
    for (const [key] of entries) delete holder[key];
    for (const [key, value] of entries) holder[key === before ? after : key] = value;
  };
}

function findOtherCase(part: RawDocument, { kind, pointer }: Place): Fault[] {
  const fields = fieldNamesOf(kind);
  return Object.keys(part).flatMap((key) => {
    if (fields.includes(key)) return [];
    const field = fields.find((one) => one.toLowerCase() === key.toLowerCase());
    if (field === undefined || Object.hasOwn(part, field)) return [];
    const problem = `OpenAPI names this field "${field}"; it is read as that`;
    return [{ pointer: `${pointer}/${toToken(key)}`, problem, mend: rename(part, key, field) }];
  });
}

function findBareTypes(part: RawDocument, { pointer }: Place): Fault[] {
  const faultOf = (type: unknown, at: string, mendBy: (whole: string) => () => void): Fault[] => {
    if (typeof type !== 'string' || !/^[\w.+-]+$/.test(type)) return [];
    const whole = `application/${type.toLowerCase()}`;
    const problem = `"${type}" is no media type; it is read as ${whole}`;
    return [{ pointer: `${pointer}/${at}`, problem, mend: mendBy(whole) }];
  };
  const { content } = part;
  const ofLists = listsOfTypes.flatMap((name) =>
    [part[name] ?? []].flat().flatMap((type, index) =>
      faultOf(type, `${name}/${index}`, (whole) => () => {
        part[name] = [part[name]].flat().with(index, whole);
      }),
    ),
  );
  const ofContent = Object.keys(isObject(content) ? content : {}).flatMap((type) =>
    faultOf(type, `content/${type}`, (whole) => rename(content, type, whole)),
  );
  return [...ofLists, ...ofContent];
}

/** Media types by reference, since OpenAPI 3.2, take the place of what refers to them. */
function findMediaReferences({ content }: RawDocument, { pointer, root }: Place): Fault[] {
  if (!isObject(content)) return [];
  return Object.entries<RawDocument>(content).flatMap(([type, node]) => {
    const target = typeof node?.$ref === 'string' && resolveQuietly(root, node);
    if (!isObject(target)) return [];
    const mend = () => {
      content[type] = target;
    };
    return [{ pointer: `${pointer}/content/${toToken(type)}`, mend }];
  });
}

/** Path parameters that differ from the name in the path in case or separators, or are the only one left. */
function findOtherNames(item: RawDocument, { pointer, key, root }: Place): Fault[] {
  const inPath = [...String(key).matchAll(/\{([^{}=]+)/g)].map(([, name = '']) => name);
  const holders = [item, ...methods.map((method) => item[method])].filter((one) =>
    Array.isArray(one?.parameters),
  );
  if (!pointer.startsWith('/paths/') || inPath.length === 0) return [];
  return holders.flatMap((holder) => {
    const at = holder === item ? '' : `/${methods.find((one) => item[one] === holder)}`;
    return holder.parameters.flatMap((given: RawDocument, index: number) => {
      const parameter = isObject(given) ? resolveQuietly(root, given) : undefined;
      if (parameter?.in !== 'path' || inPath.includes(parameter.name)) return [];
      const like = inPath.find((one) => toPlainName(one) === toPlainName(String(parameter.name)));
      if (like === undefined) return [];
      const problem = `the path has {${like}}, and no "${parameter.name}"; it is read as "${like}"`;
      const mend = () => {
        holder.parameters[index] = { ...parameter, name: like };
      };
      return [{ pointer: `${pointer}${at}/parameters/${index}`, problem, mend }];
    });
  });
}
