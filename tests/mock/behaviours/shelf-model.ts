import fc from 'fast-check';

type Note = { id: number; title: string; file?: string };
type Shelf = { id: number; name: string; notes: Note[] };
type Contents = { shelves: Shelf[]; lastShelf: number; lastNote: number };

/** The shelves of notes that a mock should hold, a snapshot of them, and the creates to replay. */
export type State = Contents & { saved?: Contents; replays: Record<string, [string, number]> };

export const empty: State = { shelves: [], lastShelf: 0, lastNote: 0, replays: {} };

const of = <A extends string, Fields extends object>(
  act: A,
  fields: { [name in keyof Fields]: fc.Arbitrary<Fields[name]> },
) => fc.record({ act: fc.constant(act), ...fields }) as fc.Arbitrary<{ act: A } & Fields>;

const id = fc.integer({ min: 1, max: 3 });
const shelf = fc.constantFrom(1, 1, 2, 3);
/** Often the id that would be given next. */
const newId = fc.constantFrom(1, 2, 3, 3, 4, 4);
const text = fc.constantFrom('a', 'b', '7');
const note = of('note', { shelf, text, hasFile: fc.boolean() });
const putNote = of('putNote', { shelf, id, text });
const dropNote = of('dropNote', { shelf, id });
const onNotes = [note, note, putNote, putNote, dropNote, dropNote] as const;

const shelve = of('shelve', { text, key: fc.constantFrom(undefined, 'k', 'k') });
const onShelves = [
  shelve,
  of('renameShelf', { id: shelf, newId }),
  of('dropShelf', { id: shelf }),
  fc.record({ act: fc.constantFrom(...(['restore', 'restore', 'restore', 'reset'] as const)) }),
] as const;

const step = fc.oneof(
  ...onNotes,
  ...onShelves,
  shelve,
  of('putShelf', { id: shelf, text }),
  of('renameNote', { shelf, id, newId }),
  of('changeNotes', { shelf, ids: fc.uniqueArray(id, { minLength: 1, maxLength: 3 }), text }),
  of('upload', { shelf, id }),
);
const save = fc.record({ act: fc.constant('save' as const) });

/** One request; a file is named when it is sent. */
export type Step = (typeof step | typeof save extends fc.Arbitrary<infer One> ? One : never) & {
  file?: string;
};

/** A request that comes beside another one: as often as any, one that moves what that is about. */
const meanwhile = fc.oneof(step, fc.oneof(...onShelves));

/** A note that is deleted and put again under its id, or that of another one. */
const again = fc.record({ shelf, id, text }).map((one) => ({
  steps: [
    { act: 'dropNote' as const, ...one },
    { act: 'putNote' as const, ...one },
  ] as Step[],
}));

/** Requests one after another, two at once of two clients, or pages with requests between them. */
const turn = fc.oneof(
  again,
  { arbitrary: fc.record({ steps: fc.tuple(fc.oneof(step, step, step, step, save)) }), weight: 6 },
  { arbitrary: fc.record({ both: fc.tuple(step, meanwhile), isSlow: fc.boolean() }), weight: 3 },
  {
    arbitrary: fc.record({
      walk: shelf,
      between: fc.array(fc.oneof(...onNotes), { minLength: 1, maxLength: 3 }),
    }),
    weight: 1,
  },
);
export type Turn = typeof turn extends fc.Arbitrary<infer One> ? One : never;

const first: Step[] = [
  { act: 'shelve', text: 'a', key: undefined },
  { act: 'shelve', text: 'b', key: undefined },
  { act: 'note', shelf: 1, text: 'a', hasFile: true },
  { act: 'note', shelf: 1, text: 'b', hasFile: true },
  { act: 'note', shelf: 2, text: '7', hasFile: false },
  { act: 'save' },
];

/** Begins with shelves and notes, and a snapshot of them, so that most requests find something. */
export const turns = fc
  .array(turn, { minLength: 4, maxLength: 16 })
  .map((more): Turn[] => [{ steps: first }, ...more]);

/** The status of an answer, and the id of the item in it. */
export type Outcome = { status: number; id?: number | undefined };

/**
 * Returns the state after a step that was answered so, or undefined if no such answer is right.
 * `home` is the process that answered, which alone replays its answers.
 */
export function follow(given: State, one: Step, outcome: Outcome, home = 0): State | undefined {
  const state = structuredClone(given);
  const isRight = apply(state, one, outcome, home) === outcome.status;
  return isRight ? state : undefined;
}

function apply(state: State, one: Step, { id: made = 0 }: Outcome, home: number): number {
  const findShelf = (id: number) => state.shelves.find((shelf) => shelf.id === id);
  const shelf = 'shelf' in one ? findShelf(one.shelf) : undefined;
  if ('shelf' in one && !shelf) return 404;
  const notes = shelf?.notes ?? [];
  const found = 'id' in one ? notes.find((note) => note.id === one.id) : undefined;
  const hasNote = (id: number) =>
    state.shelves.some((one) => one.notes.some((note) => note.id === id));
  const addNote = (note: Note) => {
    state.lastNote = Math.max(state.lastNote, note.id);
    notes.push(note);
    return 201;
  };
  const addShelf = (id: number, name: string) => {
    state.lastShelf = Math.max(state.lastShelf, id);
    state.shelves.push({ id, name, notes: [] });
    return 201;
  };
  switch (one.act) {
    case 'shelve': {
      const key = one.key && `${home} ${one.key}`;
      const [text, id] = (key && state.replays[key]) || [];
      if (text !== undefined) return text !== one.text ? 409 : id === made ? 201 : 0;
      if (key) state.replays[key] = [one.text, made];
      return made > state.lastShelf ? addShelf(made, one.text) : 0;
    }
    case 'putShelf': {
      const before = findShelf(one.id);
      if (before) before.name = one.text;
      return before ? 200 : addShelf(one.id, one.text);
    }
    case 'renameShelf': {
      const before = findShelf(one.id);
      if (!before) return 404;
      if (one.newId !== one.id && findShelf(one.newId)) return 409;
      before.id = one.newId;
      state.lastShelf = Math.max(state.lastShelf, one.newId);
      return 200;
    }
    case 'dropShelf': {
      const before = findShelf(one.id);
      state.shelves = state.shelves.filter((other) => other !== before);
      return before ? 204 : 404;
    }
    case 'note':
      if (made <= state.lastNote) return 0;
      return addNote({ id: made, title: one.text, ...(one.file && { file: one.file }) });
    case 'putNote':
      if (found) found.title = one.text;
      // Items of other parents are not seen, though their ids are taken.
      else if (hasNote(one.id)) return 404;
      return found ? 200 : addNote({ id: one.id, title: one.text });
    case 'renameNote':
      if (!found) return 404;
      if (one.newId !== one.id && hasNote(one.newId)) return 409;
      found.id = one.newId;
      state.lastNote = Math.max(state.lastNote, one.newId);
      return 200;
    case 'changeNotes': {
      const all = one.ids.map((id) => notes.find((note) => note.id === id));
      if (all.includes(undefined)) return 404;
      for (const note of all) Object.assign(note ?? {}, { title: one.text });
      return 200;
    }
    case 'dropNote':
      if (found) notes.splice(notes.indexOf(found), 1);
      return found ? 204 : 404;
    case 'upload':
      if (found && one.file) found.file = one.file;
      return found ? 204 : 404;
    case 'save':
      state.saved = contentsOf(state);
      return state.saved ? 200 : 0;
    default: {
      const next = one.act === 'reset' ? empty : state.saved;
      // Files and replays are kept beside what is saved.
      if (next) Object.assign(state, structuredClone(contentsOf(next)), { replays: {} });
      return next ? 200 : 404;
    }
  }
}

function contentsOf({ shelves, lastShelf, lastNote }: Contents): Contents {
  const withoutFiles = ({ id, title }: Note) => ({ id, title });
  const plain = shelves.map((one) => ({ ...one, notes: one.notes.map(withoutFiles) }));
  return { shelves: plain, lastShelf, lastNote };
}
