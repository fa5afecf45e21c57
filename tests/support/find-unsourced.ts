type Node = Record<string, unknown>;

/**
 * Walks an OpenAPI document and says, a line each, which node states neither where it comes from
 * (`x-source`: sections or RFCs) nor why it was chosen (`x-assumed`: a few words), or states it
 * badly. A pure `$ref` says nothing of its own.
 */
export function findUnsourced(document: Node): string[] {
  const problems: string[] = [];
  const sections = entries(document['x-sections']).map(([, { id }]) => id);
  const isSource = (value: unknown) => isSourceIn(sections, value);
  const check = (node: Node, at: string, needed = true) => {
    const { 'x-source': source, 'x-assumed': assumed } = node;
    if (needed && source === undefined && assumed === undefined)
      problems.push(`${at} has neither x-source nor x-assumed`);
    if (source !== undefined && !isSource(source))
      problems.push(`${at} names no known source: ${JSON.stringify(source)}`);
    if (assumed !== undefined && !isReason(assumed))
      problems.push(`${at} gives no reason: ${JSON.stringify(assumed)}`);
  };

  const walkSchema = (node: unknown, at: string): void => {
    if (!isNode(node) || isPureRef(node)) return;
    check(node, at);
    for (const keyword of ['properties', 'patternProperties', '$defs'])
      for (const [name, schema] of entries(node[keyword]))
        walkSchema(schema, `${at}/${keyword}/${name}`);
    for (const keyword of ['allOf', 'anyOf', 'oneOf', 'prefixItems'])
      for (const [index, schema] of entries(node[keyword]))
        walkSchema(schema, `${at}/${keyword}/${index}`);
    for (const keyword of ['items', 'additionalProperties', 'not', 'contains'])
      walkSchema(node[keyword], `${at}/${keyword}`);
  };
  const walkContent = (owner: Node, at: string) => {
    for (const [type, media] of entries(owner.content)) {
      check(media, `${at}/content/${type}`, false);
      walkSchema(media.schema, `${at}/content/${type}/schema`);
    }
  };
  const walkOwner = (node: unknown, at: string) => {
    if (!isNode(node) || isPureRef(node)) return;
    check(node, at);
    walkSchema(node.schema, `${at}/schema`);
    walkContent(node, at);
    for (const [name, header] of entries(node.headers)) walkOwner(header, `${at}/headers/${name}`);
  };
  const walkAll = (
    nodes: unknown,
    at: string,
    walk: (node: unknown, at: string) => void = walkOwner,
  ) => {
    for (const [name, node] of entries(nodes)) walk(node, `${at}/${name}`);
  };

  check(nodeOf(document.info), 'info');
  if (isNode(nodeOf(document.info).license))
    check(nodeOf(nodeOf(document.info).license), 'info/license');
  walkAll(document.servers, 'servers');
  walkAll(document.tags, 'tags');
  for (const [path, item] of entries(document.paths)) {
    walkAll(item.parameters, `paths${path}/parameters`);
    for (const method of ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']) {
      if (!isNode(item[method])) continue;
      const at = `paths${path}/${method}`;
      check(item[method], at);
      if (isNode(item[method]['x-deprecated-since']))
        check(item[method]['x-deprecated-since'], `${at}/x-deprecated-since`);
      walkAll(item[method].parameters, `${at}/parameters`);
      walkOwner(item[method].requestBody, `${at}/requestBody`);
      walkAll(item[method].responses, `${at}/responses`);
    }
  }
  const components = nodeOf(document.components);
  for (const kind of ['parameters', 'requestBodies', 'responses', 'headers', 'securitySchemes'])
    walkAll(components[kind], `components/${kind}`);
  walkAll(components.schemas, 'components/schemas', walkSchema);
  check(nodeOf(document['x-rate-limits']), 'x-rate-limits');
  for (const [index, silence] of entries(document['x-silences'])) {
    check(silence, `x-silences/${index}`);
    if (!isSource(silence.source))
      problems.push(`x-silences/${index} names no known source: ${JSON.stringify(silence.source)}`);
    if (silence['x-assumed'] === undefined)
      problems.push(`x-silences/${index} gives no reason: undefined`);
  }
  for (const [index, { source }] of entries(document['x-clauses']))
    if (!isSource(source))
      problems.push(`x-clauses/${index} names no known source: ${JSON.stringify(source)}`);
  return problems;
}

function isSourceIn(sections: readonly unknown[], value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return value.split(', ').every((part) => {
    const section = /^§(\d+(?:\.\d+)?)$/.exec(part)?.[1];
    return section !== undefined
      ? sections.includes(section)
      : /^RFC \d{4} §\d+(\.\d+)*$/.test(part);
  });
}

function isReason(value: unknown): boolean {
  return typeof value === 'string' && value.trim().split(/\s+/).length >= 4;
}

function isPureRef(node: Node): boolean {
  return (
    typeof node.$ref === 'string' &&
    Object.keys(node).every((key) => ['$ref', 'summary', 'description'].includes(key))
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function nodeOf(value: unknown): Node {
  return isNode(value) ? value : {};
}

function entries(value: unknown): [string, Node][] {
  return Object.entries(nodeOf(value)).filter((entry): entry is [string, Node] => isNode(entry[1]));
}
