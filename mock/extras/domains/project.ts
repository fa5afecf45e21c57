import { builtInDocument } from '../../../common/built-in-document.ts';
import { toDomainRules } from '../../../common/prose/domains.ts';
import { type Api, compile, type DomainRules } from '../../../openapi/index.ts';
import type { DomainsState, Project } from '../../domains/domains-state.ts';
import { respread } from './zone.ts';

/** The inputs besides the facts: the interface's rules, the seed and the clock. */
export type Circumstances = { rules: DomainRules; seed: number; now: number };

/** The project of a sandbox, and what it begins with where nothing was set. */
export function projectOf({ project }: Pick<DomainsState, 'project'>, rules: DomainRules): Project {
  return {
    plan: 'free',
    deploy: 'none',
    target: 'domains.petstore.example',
    authority: 'ca.petstore.example',
    propagationHours: rules.propagationHours,
    issuanceMinutes: 5,
    ...project,
  };
}

/** Changes the project, by which its domains go at once; what still spreads does so in the new time. */
export function changeProject(
  state: DomainsState,
  change: Partial<Project>,
  { rules, now }: Circumstances,
): DomainsState & Required<Pick<DomainsState, 'project'>> {
  const before = projectOf(state, rules);
  const project = { ...before, ...change };
  const hours = { from: before.propagationHours, to: project.propagationHours };
  return { ...state, project, zone: respread(state.zone, { ...hours, now }) };
}

/** Reads what the interface states of custom domains. */
export type ReadDomainRules = () => Promise<DomainRules>;

/**
 * Creates a lazy reader of the domain rules: those of the document, or of the built-in one without
 * any.
 */
export function createReadDomainRules(document: Api): ReadDomainRules {
  let rules: Promise<DomainRules> | undefined;
  return () =>
    (rules ??=
      document.asOpenApi()['x-domains'] === undefined
        ? compile(builtInDocument).then((document) => toDomainRules(document.asOpenApi()))
        : Promise.resolve(toDomainRules(document.asOpenApi())));
}
