import { maxProblems, type Problem } from '../json/problems.ts';

/** Notes what is wrong with a place of a snapshot, unless enough is wrong with it already. */
export function addProblem(problems: Problem[], pointer: string, problem: string): void {
  if (problems.length < maxProblems)
    problems.push({ pointer, problem: `"${pointer.slice(1)}" ${problem}.` });
}
