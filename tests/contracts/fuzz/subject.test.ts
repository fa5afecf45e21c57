import { expect, it } from 'vitest';
import { findSubjects } from '../../../contracts/fuzz/subject.ts';
import { compile } from '../../../openapi/index.ts';
import { documentOf } from '../../support/document-of.ts';

const document = compile(
  documentOf(`
    list: GET /teams -> [Team]
    create: POST /teams Team! -> 201 Team
    read: GET /teams/{team} -> Team
    head: HEAD /teams/{team} -> Team
    replace: PUT /teams/{team} Team! -> Team
    remove: DELETE /teams/{team} -> 204
    clear: DELETE /teams -> 204
    archive: POST /teams/{team}/archive -> Team
    bulk: POST /teams/bulk [Team]! -> [Team]
    settings: PUT /settings Team! -> Team
    createNote: POST /teams/{team}/notes Team! -> 201 Team
    readNote: GET /teams/{team}/notes/{note} -> Team
    createPage: POST /books/{book}/pages Team! -> 201 Team
    readPage: GET /books/{book}/pages/{page} -> Team
    removePage: DELETE /books/{book}/pages/{page} -> 204
    Team: { readonly id!: int, name! }
  `),
);

it.each([
  [false, { list: 'read', read: 'read', readNote: 'read', readPage: 'read' }],
  [
    true,
    {
      ...{ list: 'read', read: 'read', readNote: 'read', readPage: 'read' },
      ...{ create: 'create', createNote: 'create', replace: 'change', remove: 'change' },
    },
  ],
])(
  'fuzzes reads, and changes of items that the run makes where it may write: %s',
  (writes, does) => {
    const subjects = findSubjects(document, { writes, isChosen: () => true, lessons: [] });
    expect(Object.fromEntries(subjects.map((one) => [one.operation.id, one.does]))).toEqual(does);
  },
);
