import { html } from '../look/markup.ts';
import { code } from '../look/parts.ts';

/** The page that shows the report of a running proxy, and loads it anew when there is more. */
export function toLivePage(target: string): string {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Live: ${target}</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="look.css">
<link rel="stylesheet" href="live.css">
<script type="module" src="live.js"></script>
</head>
<body>
<header class="live">
<h1>Traffic to ${code(target)}</h1>
<p id="state" role="status">Connecting</p>
<p class="controls"><label><input id="automatic" type="checkbox" checked> Update automatically</label>
<button id="update" type="button">Update now</button>
<a href="report.json">JSON</a></p>
</header>
<main><iframe id="report" title="The report so far" src="report.html"></iframe></main>
</body>
</html>
`;
  return text;
}
