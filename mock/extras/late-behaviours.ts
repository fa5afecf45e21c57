/* What is loaded only where there are behaviours of the user's own. */
export { toBehaviourParts } from './behaviour-parts.ts';
export { readBehaviours, readUsed } from './behaviours/read-behaviours.ts';
export { whereIs } from './behaviours/where.ts';
