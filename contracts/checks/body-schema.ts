import { aboutItem, type Check, called, clauseOf, toWrongBody } from '../clauses/check.ts';
import { collectionsOf, findResource } from '../description/document.ts';
import { valueAt } from '../description/property-path.ts';
import { membersOf } from '../json.ts';
import type { Answered } from '../transcript/exchange.ts';
import type { SchemaProblem } from '../transcript/schema/problems.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { successBodies } from '../transcript/transcript.ts';
/** Each success body matches its schema, down to the last item of a long list. */
export const bodySchema: Check = {
  id: 'body-schema',
  clause: clauseOf('body-schema'),
  unheld: 'no success with a described body was received',
  cases: ['list', 'read', 'create'],
  needs: 'a schema of a success',
  follows: [
    { check: 'media-type', when: ({ exchange }) => exchange.response?.json === undefined },
    'invalid-body',
    'unknown-id',
  ],
  part: 'body',
  judge(transcript, judge) {
    const names = namesOfResources(transcript);
    const ofResource = Map.groupBy(
      successBodies(transcript),
      ({ exchange: { case: testCase } }) =>
        names.get(testCase.operation?.id ?? '') ?? testCase.operation?.id ?? testCase.id,
    );
    for (const [resource, bodies] of ofResource) {
      const faults = faultsOf(bodies);
      for (const { exchange, problems } of bodies)
        judge.hold(problems.length === 0, exchange, () => {
          const own = problems.map(({ fault }) => fault);
          const elsewhere = faults.filter(({ fault }) => !own.includes(fault));
          return {
            ...toWrongBody(
              `${called(exchange)} answers ${exchange.response.status} with a body that breaks its schema`,
              exchange.response,
              problems,
              elsewhere.map(
                ({ by, problem }) =>
                  `in ${by === called(exchange) ? 'another answer' : by}, ${problem}`,
              ),
            ),
            group: `bodies of ${resource}`,
            ...aboutItem(...idsOf(transcript, exchange, problems)),
          };
        });
    }
  },
};

/** The collection of each operation, by its id; one of a nested collection may be called as none. */
function namesOfResources({ document }: Transcript): ReadonlyMap<string, string> {
  return new Map(
    collectionsOf(document).flatMap(({ name, operations }) =>
      Object.values(operations).map(({ id }) => [id, name] as const),
    ),
  );
}

/** What is wrong with any of the bodies, each with the operation that shows it first. */
function faultsOf(bodies: ReturnType<typeof successBodies>): (SchemaProblem & { by: string })[] {
  const faults = new Map<string, SchemaProblem & { by: string }>();
  for (const { exchange, problems } of bodies)
    for (const problem of problems)
      if (!faults.has(problem.fault))
        faults.set(problem.fault, { ...problem, by: called(exchange) });
  return [...faults.values()];
}

/** The ids of the items that break their schema. */
function idsOf(
  { document }: Transcript,
  { case: { operation }, response: { json } }: Answered,
  problems: SchemaProblem[],
): unknown[] {
  const { idProperty = 'id' } = findResource(document, operation) ?? {};
  const idOf = (item: unknown) => valueAt(membersOf(item), idProperty);
  return Array.isArray(json)
    ? problems.flatMap(({ items }) => items.map((at) => idOf(json[at])))
    : [idOf(json)];
}
