import { lastWordOf, withoutSlash } from '../../common/path-template.ts';
import { isSuccess } from '../../common/success.ts';
import type { Hint } from '../hint.ts';
import type { Rules } from '../rules.ts';
import type { Schema } from '../schema.ts';
import { type Content, heldSchemaOf } from './content.ts';
import type { Kind } from './kinds.ts';
import type { ListRules } from './lists.ts';
import type { Security } from './security.ts';

/**
 * The source of a node: a section or an RFC that states it (`source`), or the reason for an
 * assumption (`assumed`).
 */
export type Provenance = { source?: string; assumed?: string };

export type Parameter = Provenance & {
  name: string;
  in: 'query' | 'path' | 'header' | 'cookie' | 'querystring';
  required: boolean;
  description?: string;
  schema: Schema;
  examples: Record<string, unknown>;
  /** How lists and objects are written, such as `form`; `explode` writes each part by itself. */
  style: string;
  explode: boolean;
  /** The media type that the text of the parameter has, where the document gives it one. */
  content?: Content;
  /** Whether slashes stand in a path as they are: as it says, or as its pattern has one. */
  allowsReserved?: boolean;
  /** Whether an empty text will do, whatever the schema says. */
  allowsEmpty?: boolean;
};

export type HeaderDescription = Provenance & {
  required: boolean;
  /** Whether the members of an object are written as `a=1`. */
  explode: boolean;
  content?: Content;
  schema: Schema;
  examples: Record<string, unknown>;
};

export type ResponseDescription = Provenance & {
  /** Status code as three digits, or `default`, or a range like `4XX`. */
  status: string;
  description: string;
  headers: Record<string, HeaderDescription>;
  contents: readonly Content[];
  /** Schema of the JSON content, if there is any. */
  schema?: Schema;
  /** The schema that the examples of a success show, if its own schema says nothing. */
  likeness?: Schema;
  examples: Record<string, unknown>;
};

/** How a property holds a time. */
export type TimeForm = 'date-time' | 'date' | 'seconds' | 'milliseconds';

/** A property that holds when something happened to its item. */
export type Stamp = { property: string; form: TimeForm };

/**
 * Names the first condition for its kind that an operation fails: items or an item in its success,
 * a body with properties, an effect by its name, an answer with the item, a read of its changes, a
 * free kind at the path, or the properties or id of the items.
 */
export type FailedCondition =
  | 'items'
  | 'item'
  | 'body'
  | 'effect'
  | 'answer'
  | 'read'
  | 'fields'
  | 'id'
  | 'place';

export type Operation = Provenance &
  Security & {
    id: string;
    /** Upper case. */
    method: string;
    /** Path template below the base path, e.g. `/pets/{petId}`. */
    path: string;
    /** The path as resources are found by it, if it is written otherwise: without suffix or verb. */
    plainPath?: string;
    summary?: string;
    description?: string;
    tags?: readonly string[];
    extensions?: Readonly<Record<string, unknown>>;
    /**
     * Further base paths of the operation: those of its own servers and of the document's other
     * servers.
     */
    bases?: readonly string[];
    /** Its effect on a resource; undefined if the document does not say enough. */
    kind?: Kind;
    /**
     * The unmet need of the kind that method and path suggest, if the operation is not of that
     * kind.
     */
    lacks?: FailedCondition | undefined;
    resource?: string;
    /** The effects of its parameters and the form of its answer, if it lists a collection. */
    listRules?: ListRules;
    /** The properties that lead to the item or the items in its success; none where it is these. */
    itemsAt?: readonly string[];
    /** The properties that lead to the fields of an item in its body; none where it is these. */
    fieldsAt?: readonly string[] | undefined;
    /** The property of the items whose value is their name in the object that lists them. */
    keyedBy?: string;
    /** The same, where what the items have tells it, and in its body. */
    shownAt?: readonly string[];
    takenAt?: readonly string[];
    /** The schema of its body as items have it, and their names of members called otherwise. */
    takenAs?: { schema: Schema; names: Readonly<Record<string, string>> } | undefined;
    /** The name of the collection whose item in its path it does something to and answers with. */
    actsOn?: string;
    /** Whether it does that to all items of the collection. */
    actsOnAll?: boolean;
    /** Whether it makes a copy of that item, and answers with the copy. */
    copies?: boolean;
    /** The array of that item which it shows or changes. */
    part?: string;
    /** Whether it takes what its body names out of that array. */
    removesPart?: boolean | undefined;
    /** The values that it sets in that item, by property. */
    sets?: Readonly<Record<string, unknown>>;
    /** The times of that item that become now. */
    stamps?: readonly Stamp[];
    /** The properties of that item that its body sets. */
    takes?: readonly string[];
    /** The property of that item whose value is its body, or the only member of that. */
    takesValueOf?: string;
    /** The texts that nearly all operations have in their bodies: they are of the call, as keys are. */
    ofCall?: readonly string[];
    /** The member of its body by which it links items that exist; empty if its path names one. */
    linksBy?: string | undefined;
    /** The name of the single object at its path that it reads or changes. */
    singleton?: string;
    /** The collection at its path that it neither shows nor changes, as it keeps no state. */
    besides?: string;
    /** Of a HEAD, the GET at its path, as which it answers without content. */
    answersAs?: Operation;
    /**
     * The operation that it is read as, if its path says what it does or its body asks for items:
     * `GET /pets/{id}` for `POST /pets.info`.
     */
    readAs?: Operation;
    /** Its hint in the document (`x-twin`), and the rules there. */
    hint?: Hint;
    rules?: Rules;
    parameters: Parameter[];
    body?: Provenance & {
      required: boolean;
      schema: Schema;
      schemaName?: string;
      examples: Record<string, unknown>;
      /** The media types it may have, where that is not `application/json` alone. */
      mediaTypes?: readonly string[];
      /** Its media types of JSON, where their schemas differ. */
      variants?: readonly Content[];
      /** The content of any media type, such as `*\/*`, in which JSON is one of several. */
      range?: Content;
      /**
       * The schema of a JSON Patch (RFC 6902), where the document names that media type, or describes
       * such a list as plain JSON.
       */
      jsonPatch?: Schema;
    };
    /** The contents of its body besides JSON. */
    otherBody?: { required: boolean; contents: readonly Content[] };
    responses: ResponseDescription[];
    /** Whether the document hides the panel that tries the operation (`x-hideTryItPanel`). */
    hidesTryIt: boolean;
    /** How stable it is, such as `experimental` or `beta`, where the document marks it. */
    stability?: string;
    deprecated: boolean;
    /**
     * Instant from which on it is deprecated, where the document gives one, in Unix milliseconds.
     */
    deprecatedSince?: number;
    /** Instant of removal, in Unix milliseconds. */
    sunset?: number;
  };

/** Whether it is a header that OpenAPI describes elsewhere, so that the parameter says nothing. */
export function isOtherwiseDescribed({ in: place, name }: Pick<Parameter, 'in' | 'name'>): boolean {
  return (
    place === 'header' && ['accept', 'content-type', 'authorization'].includes(name.toLowerCase())
  );
}

/** Returns the schema of the success of an operation. */
export function successOf({ responses }: Pick<Operation, 'responses'>): Schema | undefined {
  const success = responses.find(isSuccess);
  return success && heldSchemaOf(success);
}

/** How the items of an operation are found in its answers. */
export function shownIn({ path, plainPath = path, shownAt: at }: Operation) {
  return { path: plainPath, at };
}

/** Whether an operation on a collection takes a list of items below other members of its body. */
export function takesListBelow({ path, takenAt = [] }: Pick<Operation, 'path' | 'takenAt'>) {
  return takenAt.length > 1 && takenAt.at(-1) === '0' && !withoutSlash(path).endsWith('}');
}

/** Words of operations that send a body to ask for something, and create nothing. */
const asking =
  /^(?:(?:batch|bulk)[^a-z])?(get|retrieve|search|find|query|lookup|list|filter|count|fetch|read|check|validate|verify|preview|estimate|calculate|compute|convert|compare|export|login|logout|authenticate)(?![a-z])/;

/** Whether an operation has a name of one that asks, or a path that ends with such a word. */
export function asks({ id, path }: Pick<Operation, 'id' | 'path'>, words = asking): boolean {
  // In `createVerifyProfile` and `listIdCreate` the other words say what is created.
  if (isCalledCreate({ id })) return false;
  return [id, lastWordOf(path)].some((name) => words.test(toWords(name)));
}

/** Whether an operation has a name of one that creates, such as `listIdCreate`. */
function isCalledCreate({ id }: Pick<Operation, 'id'>): boolean {
  return /^(create|add)(?![a-z])|(?<![a-z])create$/.test(toWords(id));
}

/**
 * Whether a PUT creates the item that its path names and nobody has created: it documents 201 or says
 * so, or documents no 404 and is called a create, or nothing else creates items.
 */
export function createsByPut(put: Operation, isOnlyWay: boolean): boolean {
  const documents = (sought: string) => put.responses.some(({ status }) => status === sought);
  if (documents('201') || saysUpsert(put)) return true;
  return !documents('404') && (isOnlyWay || isCalledCreate(put));
}

/** Whether the words of an operation say that it creates an item or changes the one that exists. */
function saysUpsert(operation: Operation): boolean {
  const text = toWords(`${operation.id} ${proseOf(operation)}`).replaceAll(/[^a-z]+/g, ' ');
  return upserting.test(text);
}

// Participles are left out: what is "created or updated" may be anything that happens.
const makes = '(creat(e|es|ing)|(add|insert)(s|ing)?)';
const changes =
  '((updat|replac|chang|overwrit)(e|es|ing)|(edit|set|put)(s|t?ing)?|modif(y|ies|ying))';
const isMissing = 'if( \\w+){0,4} (doesn t|not) (yet )?(already )?exist\\w*';
const ways = [
  'upsert\\w*',
  `${makes}( \\w+){0,3} or ${changes}`,
  `${changes} or ${makes}`,
  `${changes}( \\w+){0,3} or (creat|insert)(e|es|s|ing)?`,
  `creat\\w*( \\w+){0,5} ${isMissing}`,
  `${isMissing}( \\w+){0,5} creat\\w*`,
];
const upserting = new RegExp(`\\b(${ways.join('|')})\\b`);

function toWords(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
}

/** Identifies an operation in any reading of its document. */
export function toKey({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

export function proseOf({ summary = '', description = '' }: Operation): string {
  return `${summary}\n${description}`;
}
