import { documentOf, schemaOf } from './document-of.ts';

const nodesOf = (kind: string, more: string) =>
  `{ kind, items!: [${kind}], metadata: { ${more} } }`;
const patchOf = (...types: string[]) => ({
  required: true,
  content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }])),
});

/** Has ids in an object that says what the items are, as in Kubernetes. */
export const clusters = documentOf(
  `
  listNodes: GET /nodes?limit:int&continue -> ${nodesOf('Node', 'continue')}
  createNode: POST /nodes Node! -> Node, 201 Node, 400, 409
  readNode: GET /nodes/{name:text} -> Node, 404
  replaceNode: PUT /nodes/{name:text} Node! -> Node, 400, 404
  patchNode: PATCH /nodes/{name:text} -> Node, 400, 404
  deleteNode: DELETE /nodes/{name:text} -> Status, 404
  listNamespaces: GET /namespaces -> ${nodesOf('Node', 'continue')}
  createNamespace: POST /namespaces Node! -> 201 Node, 400, 409
  readNamespace: GET /namespaces/{name:text} -> Node, 404
  deleteNamespace: DELETE /namespaces/{name:text} -> Status, 404
  listJobsOfAll: GET /jobs -> ${nodesOf('Job', 'resourceVersion')}
  listJobs: GET /namespaces/{namespace:text}/jobs -> ${nodesOf('Job', 'resourceVersion')}, 404
  createJob: POST /namespaces/{namespace:text}/jobs Job! -> 201 Job, 400, 404, 409
  readJob: GET /namespaces/{namespace:text}/jobs/{name:text} -> Job, 404
  replaceJob: PUT /namespaces/{namespace:text}/jobs/{name:text} Job! -> Job, 400, 404
  deleteJob: DELETE /namespaces/{namespace:text}/jobs/{name:text} -> Status, 404
  `,
  {
    Metadata: '{ name, namespace, uid, labels: Labels }',
    Labels: { type: 'object', additionalProperties: { type: 'string' } },
    Node: '{ kind, metadata: Metadata, spec: { zone } }',
    Job: '{ kind, metadata!: JobMetadata, spec: { runs: int } }',
    JobMetadata: {
      allOf: [{ $ref: '#/components/schemas/Metadata' }, { type: 'object', required: ['name'] }],
    },
    Status: '{ kind, message, metadata: { resourceVersion } }',
  },
  {
    openapi: '3.0.3',
    info: { title: 'Clusters', version: '1' },
    operations: {
      'PATCH /nodes/{name}': {
        requestBody: patchOf(
          'application/json-patch+json',
          'application/merge-patch+json',
          'application/strategic-merge-patch+json',
        ),
      },
    },
  },
);

/** Has collections below others: nested, shallow, as views, and below a text that names no item. */
export const blog = documentOf(
  `
  listUsers: GET /users -> [User]
  createUser: POST /users NewUser! -> 201 User
  getUser: GET /users/{userId:text} -> User
  updateUser: POST /users/{userId:text} NewUser! -> User
  deleteUser: DELETE /users/{userId:text} -> 204
  searchUsers: POST /users/search NewUser! -> User
  listNotes: GET /users/{userId:text}/notes -> [Note]
  createNote: POST /users/{userId:text}/notes NewNote! -> 201 Note
  getNote: GET /users/{user:text}/notes/{noteId} -> Note
  replaceNote: PUT /users/{user:text}/notes/{noteId} NewNote! -> Note
  updateNote: PATCH /users/{user:text}/notes/{noteId} NewNote! -> Note
  deleteNote: DELETE /users/{user:text}/notes/{noteId} -> 204
  listMarks: GET /users/{userId:text}/notes/{noteId}/marks -> [Note]
  createMark: POST /users/{userId:text}/notes/{noteId}/marks NewNote! -> 201 Note
  listPosts: GET /posts -> [Post]
  createPost: POST /posts NewPost! -> 201 Post
  findPosts: GET /posts/findByColour?colour -> [Post]
  getPost: GET /posts/{postId} -> Post
  deletePost: DELETE /posts/{postId} -> 204
  listPostsOfUser: GET /users/{userId:text}/posts -> [Post]
  createPostOfUser: POST /users/{userId:text}/posts NewPost! -> 201 Post
  listReplies: GET /posts/{postId}/replies -> [Reply]
  createReply: POST /posts/{postId}/replies NewNote! -> 201 Reply
  getReply: GET /replies/{replyId:text} -> Reply
  deleteReply: DELETE /replies/{replyId:text} -> 204
  listLabels: GET /orgs/{org:text}/labels -> [Label]
  createLabel: POST /orgs/{org:text}/labels Label! -> 201 Label
  getLabel: GET /orgs/{org:text}/labels/{name:text} -> Label
  NewUser: { name! }
  User: { id!: text(examples=["usr_9s6XKzkNRiz8i3"]), name! }
  NewNote: { text! }
  Note: { id!: int, text! }
  NewPost: { title!, userId, colour }
  Post: { id!: int, title!, userId!, colour }
  Reply: { id!: uuid, text!, postId!: int }
  Label: { name!, hue: int }
  `,
  {},
  { info: { title: 'Blog', version: '1.0.0' } },
);
for (const path of ['/orgs/{org}/labels', '/orgs/{org}/labels/{name}'])
  blog.paths[path]?.parameters.slice(0, 1).forEach((one: object) => {
    Object.assign(one, { example: 'acme' });
  });

const ticketPatch = {
  'application/merge-patch+json': {
    example: { state: 'closed' },
    schema: {
      type: 'object',
      properties: {
        title: { type: ['string', 'null'] },
        state: { enum: ['open', 'closed', null] },
        contact: { type: 'object' },
      },
    },
  },
  'application/json-patch+json': {
    schema: { type: 'array', items: { type: 'object', required: ['op', 'path'] } },
  },
};

/** Replaces, updates and deletes items, with properties of one direction only. */
export const tickets = documentOf(
  `
  listTickets: GET /tickets?limit:int(minimum=1,maximum=100)&state:"open"|"closed" -> [Ticket]
  addTicket: POST /tickets Ticket! -> 201 Ticket, 422 Error
  getTicket: GET /tickets/{ticketId:int64} -> Ticket, 404 Error
  putTicket: PUT /tickets/{ticketId:int64} Ticket! -> Ticket, 201 Ticket, 400 Error
  patchTicket: PATCH /tickets/{ticketId:int64} -> Ticket, 404 Error, 422 Error
  deleteTicket: DELETE /tickets/{ticketId:int64} -> 204, 404 Error
  listLabels: GET /labels -> [Label]
  addLabel: POST /labels Label -> 201 Label, 400 Error
  getLabel: GET /labels/{id:uuid} -> Label, 410 Error
  putLabel: PUT /labels/{id:uuid} Label -> 204, 410 Error
  deleteLabel: DELETE /labels/{id:uuid} -> Label, 410 Error
  listJobs: GET /jobs -> [{ id!, name! }]
  cancelJob: DELETE /jobs/{jobId:text} -> 202 { status!: "cancelling" }
  Ticket: {
    readonly id!: int64, title!: text(minLength=1), state!: State, readonly openedAt!: date-time,
    writeonly pin!, contact: { name!, phone, readonly token!, writeonly password }
  }
  Label: { id: uuid, name!, color }
  Error: { code!, message!, status!: int }
  `,
  { State: { enum: ['open', 'closed'], default: 'open' } },
  {
    info: { title: 'Tickets', version: '1.0.0' },
    servers: [{ url: '/desk' }],
    operations: {
      'PATCH /tickets/{ticketId}': { requestBody: { required: true, content: ticketPatch } },
    },
  },
);

/** Has UUIDs as ids, and examples that are missing, wrong or of no stored item. */
export const books = documentOf(
  `
  listBooks: GET /books?shelf!:"fiction"|"art" -> [Book]
  addBook: POST /books Book! -> 201 Book
  getBook: GET /books/{bookId:uuid} -> Book
  putPage: PUT /books/{bookId:uuid}/pages/{page:Page} { text!: text(minLength=3) } -> 204
  rateBook: POST /ratings text(pattern="^(?!)$")! -> 204
  `,
  {
    Book: '{ id: uuid, title!, isbn!: Isbn }',
    Page: { type: 'integer', minimum: 10 },
    Isbn: { type: 'string', pattern: '^97[89]\\d{10}$' },
  },
);
Object.assign(books.paths['/books']?.post.requestBody.content['application/json'], {
  example: { title: 7 },
});
books.paths['/books/{bookId}']?.parameters.forEach((one: object) => {
  Object.assign(one, { example: '6f1b9a1e-0000-4000-8000-aaaaaaaaaaaa' });
});

/** Counts in integers of 64 bits. */
export const counters = documentOf(
  `
  listCounters: GET /counters?count:int64 -> [Counter]
  createCounter: POST /counters NewCounter! -> 201 Counter
  getCounter: GET /counters/{counterId:int64} -> Counter
  NewCounter: { count!: int64 }
  `,
  { Counter: { allOf: ['NewCounter', '{ id!: int64 }'].map(schemaOf) } },
  {
    info: { title: 'Counters', version: '1.0.0' },
    servers: [{ url: 'http://localhost/v1' }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  },
);
