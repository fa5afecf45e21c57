import { JSONPathNode, JSONPathNodeList, jsonpath } from 'json-p3';

type Value = JSONPathNode['value'];
type Query = jsonpath.JSONPathQuery;
type Segment = jsonpath.JSONPathSegment;

const { FilterQuery, FunctionExtension, InfixExpression, LogicalExpression, PrefixExpression } =
  jsonpath.expressions;

/** A query of a filter; one whose value is compared costs as much as the value is large. */
type InnerQuery = { query: Query; isCompared: boolean };

/**
 * The nodes that a JSONPath selects in a value. `charge` hears how many nodes are visited, those that
 * filters ask for included, and throws where it is enough.
 */
export function evaluatePath(
  path: string,
  value: Value,
  charge: (visits: number) => void,
): JSONPathNode[] {
  const { segments } = jsonpath.compile(path);
  const sizes = new WeakMap<object, number>();
  const sizeOf = (of: Value): number => {
    if (typeof of !== 'object' || of === null) return 1;
    const known = sizes.get(of);
    if (known !== undefined) return known;
    const size = Object.values(of).reduce<number>((sum, inner) => sum + sizeOf(inner), 1);
    sizes.set(of, size);
    return size;
  };
  for (const { query, isCompared } of innerQueries(segments)) {
    const evaluate = (of: Value) => {
      const nodes = [
        ...follow(query.segments, new JSONPathNode(of, [], value), (node, segment) => {
          charge(1);
          // All below a node is visited, whether it is selected or not.
          if (segment && isDescendant(segment)) charge(sizeOf(node.value));
        }),
      ];
      const [first] = nodes;
      if (isCompared && first) charge(sizeOf(first.value));
      return new JSONPathNodeList(nodes);
    };
    Object.assign(query, { query: evaluate, lazyQuery: evaluate });
  }
  return [...follow(segments, new JSONPathNode(value, [], value), () => charge(1))];
}

/** Follows segments from a node; `see` hears of each node, and of the segment that follows it. */
function follow(
  segments: readonly Segment[],
  start: JSONPathNode,
  see: (node: JSONPathNode, next: Segment | undefined) => void,
): Iterable<JSONPathNode> {
  function* seen(nodes: Iterable<JSONPathNode>, next: Segment | undefined) {
    for (const node of nodes) {
      see(node, next);
      yield node;
    }
  }
  return segments.reduce<Iterable<JSONPathNode>>(
    (nodes, segment, index) => seen(segment.lazyResolve(nodes), segments[index + 1]),
    seen([start], segments[0]),
  );
}

function isDescendant(segment: Segment): boolean {
  return segment.toString().startsWith('..');
}

function innerQueries(segments: readonly Segment[]): InnerQuery[] {
  return segments
    .flatMap(({ selectors }) => selectors)
    .flatMap((selector) =>
      selector instanceof jsonpath.selectors.FilterSelector
        ? queriesOf(selector.expression, false)
        : [],
    );
}

function queriesOf(
  expression: jsonpath.expressions.FilterExpression,
  isCompared: boolean,
): InnerQuery[] {
  if (expression instanceof FilterQuery)
    return [{ query: expression.path, isCompared }, ...innerQueries(expression.path.segments)];
  if (expression instanceof LogicalExpression) return queriesOf(expression.expression, false);
  if (expression instanceof PrefixExpression) return queriesOf(expression.right, false);
  if (expression instanceof FunctionExtension)
    return expression.args.flatMap((one) => queriesOf(one, false));
  if (!(expression instanceof InfixExpression)) return [];
  const { left, right, logical } = expression;
  return [left, right].flatMap((one) => queriesOf(one, !logical));
}
