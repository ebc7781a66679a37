/** A run of text with one style, a link to an address, or an address without a name. */
export type Span =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly address: string }
  | { readonly kind: 'address'; readonly address: string }
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Span[])[] }

const INLINE =
  /\*\*([^*]+)\*\*|`([^`]+)`|(?<!\]\()(https?:\/\/[^\s()<>]*[^\s()<>.,;:])|\[([^[\]]+)\]\((https?:\/\/[^\s()]+)\)/g

function spanOf([whole, strong, code, bareAddress, label, address]: RegExpExecArray): Span {
  if (strong !== undefined) return { kind: 'strong', text: strong }
  if (code !== undefined) return { kind: 'code', text: code }
  if (bareAddress !== undefined) return { kind: 'address', address: bareAddress }
  if (label === undefined || address === undefined) return { kind: 'text', text: whole }
  return { kind: 'link', text: label, address }
}

/** Text of a line: plain, strong, code and http addresses; other markup stays as written. */
export function spansOf(line: string): readonly Span[] {
  const spans: Span[] = []
  let position = 0
  for (const match of line.matchAll(INLINE)) {
    if (match.index > position)
      spans.push({ kind: 'text', text: line.slice(position, match.index) })
    spans.push(spanOf(match))
    position = match.index + match[0].length
  }
  if (position < line.length) spans.push({ kind: 'text', text: line.slice(position) })
  return spans
}

/**
 * Parses headings, paragraphs and bullet lists of a markdown text. The result is rendered as text,
 * so nothing in it can become markup; images stay plain text.
 */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let paragraphLines: string[] = []
  let items: (readonly Span[])[] = []
  const closeBlock = () => {
    if (paragraphLines.length > 0)
      blocks.push({ kind: 'paragraph', spans: spansOf(paragraphLines.join(' ')) })
    if (items.length > 0) blocks.push({ kind: 'list', items })
    paragraphLines = []
    items = []
  }
  for (const line of markdown.split(/\r?\n/)) {
    const heading = /^(#{1,6})\s+(.+)$/.exec(line)
    const item = /^\s*[-*]\s+(.+)$/.exec(line)
    if (heading !== null) {
      closeBlock()
      const [, marks = '', text = ''] = heading
      blocks.push({ kind: 'heading', level: marks.length, spans: spansOf(text) })
    } else if (item !== null) {
      if (paragraphLines.length > 0) closeBlock()
      items.push(spansOf(item[1] ?? ''))
    } else if (line.trim() === '') closeBlock()
    else {
      if (items.length > 0) closeBlock()
      paragraphLines.push(line.trim())
    }
  }
  closeBlock()
  return blocks
}
