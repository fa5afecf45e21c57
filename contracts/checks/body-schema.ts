import { type Check, called } from './check.ts';
import { successBodies } from './success-bodies.ts';
import { toWrongBody } from './wrong-body.ts';

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
    const byStatus = Map.groupBy(
      successBodies(transcript),
      ({ exchange }) => `${called(exchange)} answers ${exchange.response.status} with a body that breaks its schema`,
    );
    for (const [what, bodies] of byStatus) {
      const all = [...new Map(bodies.flatMap(({ problems }) => problems.map((one) => [one.kind, one]))).values()];
      for (const { exchange, problems } of bodies)
        judge.hold(problems.length === 0, exchange, () => ({
          ...toWrongBody(what, exchange.response, problems, all),
          group: what,
        }));
    }
  },
};
