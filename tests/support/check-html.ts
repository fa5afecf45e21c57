const voidTags = ['br', 'hr', 'input', 'link', 'meta'];

/** Attributes that pages of the reference may have; none of them runs anything. */
const harmless =
  /^(?:aria-[a-z]+|autocomplete|charset|class|content|data-[a-z-]+|defer|hidden|href|http-equiv|id|label|lang|name|open|placeholder|rel|role|scope|spellcheck|src|start|tabindex|type|for)$/;

/**
 * Returns what is wrong with a page: tags that do not match, attributes that may do something,
 * links that are no links. Empty where it is as it was meant, whatever was put into it.
 */
export function findHtmlProblems(text: string): string[] {
  const problems: string[] = [];
  const open: string[] = [];
  const [head = ''] = text.split('<body>');
  for (const [whole, slash, tag = '', attributes = ''] of text.matchAll(
    /<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:="[^"<>]*")?)*)\s*>/gi,
  )) {
    if (slash === '/') {
      if (open.pop() !== tag) problems.push(`${whole} closes another tag`);
      continue;
    }
    if (!voidTags.includes(tag)) open.push(tag);
    for (const [, name = '', , value = ''] of attributes.matchAll(/([^\s=]+)(="([^"]*)")?/g)) {
      if (!harmless.test(name)) problems.push(`${whole} has ${name}`);
      if (name === 'href' && !isPageOrMail(value)) problems.push(`${whole} leads elsewhere`);
    }
    if (['script', 'style', 'iframe', 'img', 'object', 'base', 'svg'].includes(tag))
      if (!(tag === 'script' && head.includes(whole))) problems.push(`${whole} is in the body`);
  }
  if (open.length > 0) problems.push(`${open.join(', ')} is not closed`);
  const rest = text.replace(/<[^<>]*>/g, '');
  if (/[<>]/.test(rest)) problems.push('a < or > stands outside of tags');
  return problems;
}

/** Whether a link leads to a page or a mail address, as browsers read the attribute. */
function isPageOrMail(value: string): boolean {
  const href = value
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  const url = URL.parse(href, 'https://self.invalid/page.html');
  return url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
}
