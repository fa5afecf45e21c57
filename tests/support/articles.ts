import { documentOf } from './document-of.ts';
import { type AskedRequest, startServer } from './start-server.ts';
import { verifyWrites } from './verify-writes.ts';
import { writeJson } from './write-json.ts';

/** An article as a deployment stores it. */
export type Article = Record<string, unknown>;

const jsonPatch = 'application/json-patch+json';

type Schema = {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  maxLength?: number;
  [keyword: string]: unknown;
};

export type Description = {
  /** The properties of an article besides its id, in order. */
  properties: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  /** The media type of an update, and what it may set; all that there is by default. */
  mediaType?: string;
  patched?: readonly string[];
  /** Parameters of the list. */
  parameters?: readonly object[];
  /** The summary of the deletion. */
  summary?: string;
  /** The status of a read that finds nothing, and the largest id that one may ask for. */
  missing?: string;
  maximum?: number;
  clauses?: readonly object[];
};

/**
 * Writes a document of articles that can be created, read, listed, replaced, updated and deleted.
 */
export function writeArticles({
  properties,
  required = [],
  mediaType = 'application/merge-patch+json',
  patched = Object.keys(properties),
  parameters = [],
  summary = 'Deletes an article',
  missing = '404',
  maximum = 2 ** 40,
  clauses = [],
}: Description): Promise<string> {
  const some = Object.entries(properties).filter(([name]) => patched.includes(name));
  const patch =
    mediaType === jsonPatch
      ? { type: 'array', items: {} }
      : { type: 'object', properties: Object.fromEntries(some) };
  const Article = {
    type: 'object',
    required,
    properties: { id: { type: 'integer', readOnly: true }, ...properties },
  };
  const document = documentOf(
    `
    list: GET /articles -> [Article]
    add: POST /articles Article! -> 201 Article
    read: GET /articles/{id} -> Article, ${missing}
    put: PUT /articles/{id} Article! -> Article
    patch: PATCH /articles/{id} ${mediaType} Patch! -> Article
    remove: DELETE /articles/{id} -> Article, 204
    `,
    { Article, Patch: patch },
    {
      operations: { 'GET /articles': { parameters }, 'DELETE /articles/{id}': { summary } },
      'x-clauses': clauses,
    },
  );
  document.paths['/articles/{id}']?.parameters.forEach((one: { schema: object }) => {
    one.schema = { type: 'integer', maximum };
  });
  return writeJson(document);
}

/** Describes what a deployment makes of what it is sent; what it does by default is right. */
export type Habits = {
  create?: (sent: Article) => Article;
  /** Returns what a create answers with: the article by default. */
  answerCreate?: (article: Article) => Article;
  replace?: (stored: Article, sent: Article) => Article;
  update?: (stored: Article, sent: Article) => Article;
  /** Returns what is left of an article that is deleted: nothing, or what is shown from then on. */
  remove?: (stored: Article) => Article | undefined;
  /** Whether a create answers with an article that is there, and adds none. */
  isSame?: (article: Article, sent: Article) => boolean;
  /** Called with each article that is changed or deleted. */
  onChange?: (article: Article) => void;
  /** Whether a list shows an article. */
  isListed?: (article: Article, query: URLSearchParams) => boolean;
  /** Returns what a read shows of an article, if it finds it. */
  show?: (article: Article, all: readonly Article[]) => Article | undefined;
  /** Returns what a list shows of a page: as many articles as the limit asks for by default. */
  list?: (page: readonly Article[], query: URLSearchParams) => readonly Article[];
  /** Whether a new article gets the id of the last one, where that was deleted. */
  reusesIds?: boolean;
  /** How long a new article cannot be found, in milliseconds, and how long it can be read alone. */
  late?: { found?: number; changed?: number };
  /** The articles that exist before. */
  seeds?: readonly Article[];
  /** Whether a deletion answers with what is left (200). */
  answersDeletion?: boolean;
  /** The status of a call that it refuses, for whatever else. */
  refuse?: (asked: AskedRequest) => number | undefined;
};

/** Starts a deployment of such articles that ends with the test, and returns its URL. */
export async function startArticles(
  description: Description,
  {
    create = (sent) => sent,
    answerCreate = (article) => article,
    replace = (_, sent) => sent,
    update = (stored, sent) => ({ ...stored, ...sent }),
    remove = () => undefined,
    isSame = () => false,
    onChange = () => {},
    isListed = () => true,
    show = (article) => article,
    list = (page, query) => page.slice(0, Number(query.get('limit') ?? page.length)),
    reusesIds = false,
    seeds = [],
    late = {},
    answersDeletion = false,
    refuse = () => undefined,
  }: Habits = {},
): Promise<string> {
  const isValid = (article: Article) => fits(description, article);
  const articles = new Map<number, Article>();
  const added = new Map<number, number>();
  let last = 0;
  const add = (article: Article) => {
    last = reusesIds ? Math.max(0, ...articles.keys()) + 1 : last + 1;
    articles.set(last, { ...article, id: last });
    return articles.get(last);
  };
  seeds.forEach(add);
  return startServer((asked) => {
    const { method, segments, query } = asked;
    const send = (status: number, body?: unknown) => ({ status, body });
    const refused = refuse(asked);
    if (refused !== undefined) return send(refused);
    const segment = segments[1];
    const id = Number(segment);
    const sent = asked.headers['content-type'] === jsonPatch ? readPatch(asked.text) : asked.sent;
    const age = Date.now() - (added.get(id) ?? 0);
    const isFound = age >= (late.found ?? 0) && (method === 'GET' || age >= (late.changed ?? 0));
    const stored = isFound ? articles.get(id) : undefined;
    if (segment === undefined && method === 'POST') {
      if (!sent || !isValid(sent)) return send(400);
      const same = [...articles.values()].find((one) => isSame(one, sent));
      if (same) return send(201, same);
      const article = add(create(sent));
      added.set(last, Date.now());
      return send(201, article && answerCreate(article));
    }
    if (segment === undefined) {
      const all = [...articles.values()].filter((one) => isListed(one, query));
      return send(200, list(all, query));
    }
    const found = stored && show(stored, [...articles.values()]);
    const isRead = method === 'GET' || method === 'HEAD';
    if (!stored || (isRead && !found)) return send(404);
    if (isRead) return send(200, found);
    onChange(stored);
    if (method === 'DELETE') {
      const left = remove(stored);
      if (left) articles.set(id, left);
      else articles.delete(id);
      return answersDeletion ? send(200, left ?? stored) : send(204);
    }
    if (!sent || !isValid(method === 'PUT' ? sent : { ...stored, ...sent })) return send(400);
    articles.set(id, { ...(method === 'PUT' ? replace : update)(stored, sent), id });
    return send(200, articles.get(id));
  });
}

/** Verifies a deployment of such articles; their document does not list every status. */
export async function verifyArticles(
  habits: Habits,
  description: Description,
  options: Parameters<typeof verifyWrites>[2] = {},
) {
  const url = await startArticles(description, habits);
  const spec = await writeArticles(description);
  return verifyWrites(url, spec, { skip: ['described-status'], ...options });
}

function fits({ properties, required = [] }: Description, article: Article): boolean {
  const isOf = ({ type = [], enum: values, maxLength = 10_000 }: Schema, value: unknown) =>
    (values?.includes(value) ?? (type.length === 0 || [type].flat().includes(typeOf(value)))) &&
    !(typeof value === 'string' && value.length > maxLength);
  return (
    required.every((name) => name in article) &&
    Object.entries(properties).every(
      ([name, one]) => !(name in article) || isOf(one, article[name]),
    )
  );
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The members that a JSON Patch sets. */
function readPatch(text: string): Article {
  const operations: { path: string; value: unknown }[] = JSON.parse(text);
  return Object.fromEntries(operations.map(({ path, value }) => [path.slice(1), value]));
}
