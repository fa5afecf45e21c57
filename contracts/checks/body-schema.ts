import { type Check, called, shown } from './check.ts';
import { successBodies } from './success-bodies.ts';

/** Each success body fits its schema, down to the last item of a long list. */
export const bodySchema: Check = {
  id: 'body-schema',
  clause: {
    basis: 'stated',
    source: '§2, §4',
    text: 'A success body fits its schema: fields, types and values, in every item of a list.',
  },
  needs: 'a schema of a success',
  judge(transcript, judge) {
    for (const { exchange, problems } of successBodies(transcript)) {
      const { response } = exchange;
      const [first] = problems;
      judge.hold(first === undefined, exchange, () => ({
        message: `${called(exchange)} answers ${response.status} with a body that breaks its schema: ${first?.problem}`,
        expected: 'a body that fits the schema',
        actual: first?.pointer ? `${first.pointer}: ${shown(at(response.json, first.pointer))}` : shown(response.text),
        group: `${called(exchange)} ${first?.pointer.replace(/\/\d+/g, '/*')} ${first?.problem.replace(/".*"/, '')}`,
      }));
    }
  },
};

function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[decodeURIComponent(key)], value);
}
