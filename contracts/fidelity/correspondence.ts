import { formOf, isAnyOfForm, isRedacted, nounOf, type Place } from './value-form.ts';

/** A value of JSON that is neither an object nor a list. */
export type Scalar = string | number | bigint | boolean | null;

/** The length from which a text stands for the same wherever it is, also within other texts. */
const leastUnique = 6;

/** The words of a text: numbers, and words without them or with both. */
const words = /([A-Za-z\d]+)/;

/** The base URLs of the deployment that was recorded, and of the twin. */
export type Bases = { recorded: string; twin: string };

export type CorrespondenceOptions = {
  bases: Bases;
  /** The nouns of what properties name, where that is not told by their names. */
  nouns: ReadonlyMap<string, string>;
  /** Texts that clients had from answers and put into paths, so that they name things. */
  names: ReadonlySet<string>;
};

/**
 * Tells which value of the twin stands for which of the recording: both make up ids, each its own. A
 * value stands for one other alone.
 */
export class Correspondence {
  readonly #twins = new Map<string, Scalar>();
  readonly #recorded = new Map<string, Scalar>();
  readonly #pairs = new Set<string>();
  readonly #tags = new Map<string, string>();
  readonly #options: CorrespondenceOptions;
  /** The addresses in the recording and those of the twin, the longest first. */
  readonly #addresses: readonly (readonly [recorded: string, twin: string])[];

  constructor(options: CorrespondenceOptions) {
    const { recorded, twin } = options.bases;
    this.#options = options;
    this.#addresses = [
      [recorded, twin],
      [new URL(recorded).origin, new URL(twin).origin],
    ];
  }

  /**
   * Notes that the twin has a value where the recording has another. Gives whether it may: both are
   * made up, in the same form, and neither stands for a third.
   */
  pair(recorded: Scalar, twin: Scalar, at: Place): boolean {
    const place = this.placed(at);
    const form = formOf(recorded, place);
    const isText = typeof recorded === 'string';
    const isName = isText && (this.#options.names.has(recorded) || isRedacted(recorded));
    const isOfForm = form !== undefined && form === formOf(twin, place);
    const isOfAny = form === undefined || isRedacted(recorded);
    const isAlike = isOfAny ? isName && typeof twin === 'string' : isOfForm;
    // What clients call by another form is known by it, too.
    if (!isAlike && !isName) return false;
    if (isAlike && isAnyOfForm(form)) return true;
    const key = this.#keyOf(recorded, place);
    // Services count from one for each kind of things, in UUIDs too.
    const inverse = `${nounOf(place)} ${twin}`;
    if (this.#twins.has(key)) return isAlike && String(this.#twins.get(key)) === String(twin);
    if (this.#recorded.has(inverse)) return false;
    this.#twins.set(key, twin);
    this.#recorded.set(inverse, recorded);
    this.#pairs.add(`${recorded} ${twin}`);
    return isAlike;
  }

  /**
   * Whether a text of the twin says the same as one of the recording: with its own values, also in
   * numbers that are parts of words, such as `#comment-8`.
   */
  isSameText(recorded: string, twin: string): boolean {
    const mapped = this.inText(recorded);
    if (mapped === twin) return true;
    const [own, other] = [mapped.split(words), twin.split(words)];
    return (
      own.length === other.length &&
      own.every((part, at) => this.#isSameWord(part, other[at] ?? ''))
    );
  }

  #isSameWord(recorded: string, twin: string): boolean {
    if (recorded === twin || this.#pairs.has(`${recorded} ${twin}`)) return true;
    return leastUnique <= recorded.length && this.pair(recorded, twin, { name: '', owner: '' });
  }

  /** Whether some value of the twin stands for one of the recording. */
  knows(recorded: Scalar, place: Place): boolean {
    return this.#twins.has(this.#keyOf(recorded, place));
  }

  /** Notes the ids at the ends of two addresses, which may be all that an answer shows of an item. */
  pairAddresses(recorded: string, twin: string): void {
    const [own, other] = [recorded, twin].map((one) => one.replace(/[?#].*$/, '').split('/'));
    const owner = own?.at(-2);
    if (!own || !other || owner === undefined || owner !== other.at(-2)) return;
    this.pair(own.at(-1) ?? '', other.at(-1) ?? '', { name: 'id', owner });
  }

  /** Notes the entity tag that the twin has where the recording has another, at a path. */
  pairTags(recorded: string, twin: string, path: string): void {
    for (const key of [recorded, `${path} ${recorded}`]) this.#tags.set(key, twin);
  }

  /** Returns a list of entity tags, as conditions have it, with those of the twin. */
  toTwinTags(text: string, path: string): string {
    return text.replace(
      /(W\/)?"[^"]*"/g,
      (tag) => this.#tags.get(`${path} ${tag}`) ?? this.#tags.get(tag) ?? tag,
    );
  }

  /** Returns the value of the twin for one of the recording; the same where none stands for it. */
  toTwin(recorded: Scalar, place: Place): Scalar {
    const known = this.#twins.get(this.#keyOf(recorded, place));
    // An id may be a number in one member, and a text in another one.
    if (known !== undefined && typeof recorded === 'string') return String(known);
    if (known !== undefined) return /^\d{1,15}$/.test(String(known)) ? Number(known) : known;
    return typeof recorded === 'string' ? this.inText(recorded) : recorded;
  }

  /** Returns a text with the values of the twin in place of those of the recording within it. */
  inText(text: string): string {
    const segments = this.#addresses
      .reduce((own, [recorded, twin]) => own.replaceAll(recorded, twin), text)
      .split('/');
    return segments.map((segment, at) => this.#inSegment(segment, segments[at - 1])).join('/');
  }

  /** A segment of an address is named by the one before it: `/pets/7` by `pets`. */
  #inSegment(segment: string, owner: string | undefined): string {
    const known = owner && this.#twins.get(this.#keyOf(segment, { name: 'id', owner }));
    if (known !== undefined && known !== '') return String(known);
    return segment.replace(/[\w-]+/g, (word) =>
      this.#isUnique(word) ? String(this.#twins.get(word) ?? word) : word,
    );
  }

  /** The key of a value: a long text by itself, others beside the noun of what they name. */
  #keyOf(value: Scalar, place: Place): string {
    if (typeof value === 'string' && this.#isUnique(value)) return value;
    return `${nounOf(this.placed(place))} ${value}`;
  }

  /** The place of an id, for one whose name alone does not tell that. */
  placed(place: Place): Place {
    const noun = this.#options.nouns.get(place.name);
    return noun === undefined ? place : { name: 'id', owner: noun };
  }

  /** Whether a text stands for the same wherever it is. */
  #isUnique(text: string): boolean {
    return (text.length >= leastUnique && !/^\d+$/.test(text)) || this.#options.names.has(text);
  }
}
