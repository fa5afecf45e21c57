import { type Fields, isObject, typeOf } from '../../common/json.ts';
import { toEssence } from '../../common/media-type.ts';
import { valueAt } from '../../common/property-path.ts';
import { type ReceivedResponse, valuesOf } from '../transcript/exchange.ts';
import type { Correspondence, Scalar } from './correspondence.ts';
import { formOf, type Place } from './value-form.ts';

/** A way in which two answers differ. */
export type DifferenceKind =
  | 'no answer'
  | 'status'
  | 'media type'
  | 'header'
  | 'missing member'
  | 'extra member'
  | 'type'
  | 'form'
  | 'value'
  | 'missing item'
  | 'extra item'
  | 'order'
  | 'text';

/** A difference: its place in the answer, and what the recording and the twin have there. */
export type Difference = { kind: DifferenceKind; at: string; recorded: unknown; twin: unknown };

type Answer = Pick<ReceivedResponse, 'status' | 'headers' | 'json' | 'text' | 'unjudged'>;

/** Tells the comparison of the call. */
export type ComparedCall = {
  ids: Correspondence;
  /** The thing that the operation is about: a word of its path, its id, and the place of its items. */
  thing: { noun: string; idProperty: string; itemsAt: readonly string[] };
  /** The headers that are compared beside those of the protocol, in lower case. */
  headers: readonly string[];
};

/** Headers that say what to do with an answer, whether a document describes them or not. */
const telling = ['location', 'link', 'www-authenticate', 'retry-after', 'allow'];

/** Returns what differs between the recorded answer and that of the twin; pairs what may differ. */
export function compareAnswers(
  recorded: Answer,
  twin: Answer,
  compared: ComparedCall,
): Difference[] {
  if (recorded.status !== twin.status)
    return [{ kind: 'status', at: '', recorded: recorded.status, twin: twin.status }];
  const types = [recorded, twin].map((one) => toEssence(headerOf(one, 'content-type') ?? ''));
  const [type = '', twinType = ''] = types;
  const isEmpty = recorded.text === '' && twin.text === '';
  if (type !== twinType && !isEmpty)
    return [{ kind: 'media type', at: '', recorded: type, twin: twinType }];
  const found = new Differences(compared);
  // A body that was not recorded, or only in part, is like any other one.
  const isWhole = recorded.unjudged === undefined;
  if (isWhole && (recorded.json === undefined || twin.json === undefined))
    found.compareTexts(recorded.text, twin.text);
  else if (isWhole)
    found.compare(recorded.json, twin.json, { at: '', place: { name: '', owner: '' } });
  found.compareHeaders(recorded, twin);
  return found.list;
}

/** The most items of one list that are named as those of the twin alone. */
const maxExtra = 100;

type Spot = { at: string; place: Place };

/** Walks two answers at once. */
class Differences {
  readonly list: Difference[] = [];
  readonly #ids: Correspondence;
  readonly #headers: readonly string[];
  readonly #thing: ComparedCall['thing'];
  readonly #itemAt: RegExp;

  constructor({ ids, headers, thing }: ComparedCall) {
    this.#ids = ids;
    this.#headers = headers;
    this.#thing = thing;
    const path = thing.itemsAt.map((one) => `/${RegExp.escape(one)}`).join('');
    this.#itemAt = new RegExp(`^${path}(/\\d+)?$`);
  }

  compare(recorded: unknown, twin: unknown, spot: Spot): void {
    const kinds = [typeOf(recorded), typeOf(twin)];
    if (kinds[0] !== kinds[1]) this.#add('type', spot.at, kinds[0], kinds[1]);
    else if (Array.isArray(recorded)) this.#compareLists(recorded, twin as unknown[], spot);
    else if (isObject(recorded)) this.#compareObjects(recorded, twin as Fields, spot);
    else this.#compareScalars(recorded as Scalar, twin as Scalar, spot);
  }

  #compareObjects(recorded: Fields, twin: Fields, spot: Spot): void {
    const { at } = spot;
    const owner = this.#ownerAt(spot);
    const isItem = owner === this.#thing.noun;
    for (const [name, value] of Object.entries(recorded)) {
      const isId = isItem && name === this.#thing.idProperty;
      const inner = { at: `${at}/${name}`, place: { name: isId ? 'id' : name, owner } };
      if (Object.hasOwn(twin, name)) this.compare(value, twin[name], inner);
      else this.#add('missing member', inner.at, value, undefined);
    }
    for (const [name, value] of Object.entries(twin))
      if (!Object.hasOwn(recorded, name))
        this.#add('extra member', `${at}/${name}`, undefined, value);
  }

  #compareScalars(recorded: Scalar, twin: Scalar, spot: Spot): void {
    const { at } = spot;
    const place = this.#ids.placed(spot.place);
    if (this.#ids.pair(recorded, twin, place) || recorded === twin) return;
    const form = formOf(recorded, place);
    const isOfForm = form === undefined || form === formOf(twin, place);
    const areTexts = typeof recorded === 'string' && typeof twin === 'string';
    const isSame =
      this.#ids.toTwin(recorded, place) === twin ||
      (areTexts && this.#ids.isSameText(recorded, twin));
    if (!isOfForm) this.#add('form', at, recorded, twin);
    else if (!isSame) this.#add('value', at, recorded, twin);
  }

  /** Items with ids are compared with those that stand for them, others by their places. */
  #compareLists(recorded: readonly unknown[], twin: readonly unknown[], spot: Spot): void {
    const owner = this.#ownerAt(spot);
    const place = { name: 'id', owner };
    const idIn = (item: unknown) => this.#idIn(item, owner);
    const twinPlaces = new Map(twin.map((item, at) => [idIn(item), at] as const).toReversed());
    const places = recorded.map((item) => {
      const id = idIn(item);
      if (id === undefined) return undefined;
      const own = twinPlaces.get(id);
      if (!this.#ids.knows(id, place))
        // Items that both begin with have the same ids.
        return own !== undefined && this.#ids.pair(id, id, place) ? own : undefined;
      return twinPlaces.get(this.#ids.toTwin(id, place)) ?? own ?? -1;
    });
    const taken = new Set(places.filter((one) => one !== undefined));
    const free = twin.keys().filter((at) => !taken.has(at));
    const partners = places.map((one) => one ?? free.next().value ?? -1);
    for (const [index, item] of recorded.entries()) {
      const partner = partners[index] ?? -1;
      const at = `${spot.at}/${index}`;
      if (partner < 0) this.#add('missing item', at, item, undefined);
      else this.compare(item, twin[partner], { at, place: { name: '', owner } });
    }
    for (const index of free.take(maxExtra))
      this.#add('extra item', `${spot.at}/${index}`, undefined, twin[index]);
    const shown = partners.filter((one) => one >= 0);
    if (shown.some((one, index) => index > 0 && one < (shown[index - 1] ?? 0)))
      this.#add('order', spot.at, undefined, undefined);
  }

  /** The noun of the things at a place: that of the operation for its items, else the nearest name. */
  #ownerAt({ at, place }: Spot): string {
    return this.#itemAt.test(at) ? this.#thing.noun : place.name || place.owner;
  }

  #idIn(item: unknown, owner: string): Scalar | undefined {
    if (!isObject(item)) return undefined;
    const name = owner === this.#thing.noun ? this.#thing.idProperty : 'id';
    const id = valueAt(item, name) ?? item.id;
    return typeof id === 'object' ? undefined : (id as Scalar | undefined);
  }

  compareTexts(recorded: string, twin: string): void {
    if (!this.#ids.isSameText(recorded, twin)) this.#add('text', '', recorded, twin);
  }

  compareHeaders(recorded: Answer, twin: Answer): void {
    for (const name of new Set([...telling, ...this.#headers])) {
      const value = headerOf(recorded, name);
      const other = headerOf(twin, name);
      const isSame = (value === undefined) === (other === undefined);
      const isAddress = name === 'location' && value !== undefined && other !== undefined;
      if (isAddress) this.#ids.pairAddresses(value, other);
      if (!isSame) this.#add('header', name, value, other);
      else if (isAddress && pathOf(this.#ids.inText(value)) !== pathOf(other))
        this.#add('header', name, value, other);
    }
  }

  #add(kind: DifferenceKind, at: string, recorded: unknown, twin: unknown): void {
    this.list.push({ kind, at, recorded, twin });
  }
}

/** The path behind the host, as both deployments have another one. */
function pathOf(address: string): string {
  return address.replace(/^[a-z]+:\/\/[^/]+/i, '');
}

/** Returns the first value of a header of an answer, by its name in any case. */
export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | undefined {
  return valuesOf(headers, name)[0];
}
