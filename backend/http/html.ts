/** HTML that is safe to insert into a page. */
export interface Html {
  readonly html: string
}
type Piece = string | number | Html | readonly Piece[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

function pieceHtml(piece: Piece): string {
  if (typeof piece === 'string') return escapeHtml(piece)
  if (typeof piece === 'number') return String(piece)
  return 'html' in piece ? piece.html : piece.map(pieceHtml).join('')
}

/** Markup template that escapes its placeholders. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html => ({
  html: parts.reduce(
    (page, part, index) =>
      `${page}${part}${index < pieces.length ? pieceHtml(pieces[index] ?? '') : ''}`,
    '',
  ),
})

/** A whole page with the shared stylesheet; no inline code, no remote resources. */
export const pageOf = (title: string, body: Html): string =>
  `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" />
        <link rel="stylesheet" href="/docs/page.css" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`.html
  }\n`

/** Stylesheet of the service's own pages, dark and light. */
export const PAGE_CSS = `:root { color-scheme: light dark; --text: light-dark(#1b2028, #d9dee7); --quiet: light-dark(#5b6472, #8d97a6); --line: light-dark(#d8dce3, #2c333d); --ground: light-dark(#fbfbfc, #12151a); --accent: light-dark(#8a5a00, #e0b050); }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { font: 600 1rem ui-monospace, monospace; margin: 2rem 0 0.25rem; } h3 b { color: var(--accent); }
a { color: inherit; } p { margin: 0.25rem 0 0.75rem; } .quiet { color: var(--quiet); }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; } td, th { text-align: left; vertical-align: top; padding: 0.2rem 0.75rem 0.2rem 0; border-bottom: 1px solid var(--line); }
code, pre { font: 12px/1.45 ui-monospace, monospace; } pre { overflow-x: auto; margin: 0; }
.claim { font-size: 1.15rem; } .figure { font-size: 2rem; font-weight: 600; } .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.scroll { overflow-x: auto; } main { overflow-wrap: anywhere; } .tree ul { list-style: none; padding-left: 1.25rem; } .tree > ul { padding-left: 0; } .tree li { border-top: 1px solid var(--line); padding: 0.3rem 0; }
svg { display: block; } svg.bar { height: 8px; max-width: 16rem; width: 100%; } svg rect { fill: var(--line); } svg rect.on { fill: var(--accent); }
svg.chart { height: auto; max-width: 45rem; width: 100%; } svg.chart path { fill: none; stroke: var(--accent); stroke-width: 2; } svg.chart line { stroke: var(--line); } svg.chart text { fill: var(--quiet); font: 11px system-ui, sans-serif; } svg.chart circle { fill: var(--accent); }
@media print { :root { color-scheme: light; } body { background: none; font-size: 10.5pt; } main { max-width: none; padding: 0; } a { text-decoration: none; } h2 { break-after: avoid; } li, tr, svg { break-inside: avoid; } .screen { display: none; } }
summary { cursor: pointer; } nav ul { columns: 3 18rem; padding-left: 1rem; }
`
