/** A run of text with one style. */
export interface Span {
  readonly kind: 'text' | 'strong' | 'code'
  readonly text: string
}
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Span[])[] }

const INLINE = /\*\*([^*]+)\*\*|`([^`]+)`/g

/** Text of a line: plain, strong and code; other markup stays as written. */
export function spansOf(line: string): readonly Span[] {
  const spans: Span[] = []
  let done = 0
  for (const match of line.matchAll(INLINE)) {
    if (match.index > done) spans.push({ kind: 'text', text: line.slice(done, match.index) })
    const [whole, strong, code] = match
    spans.push(
      strong === undefined ? { kind: 'code', text: code ?? '' } : { kind: 'strong', text: strong },
    )
    done = match.index + whole.length
  }
  if (done < line.length) spans.push({ kind: 'text', text: line.slice(done) })
  return spans
}

/**
 * Parses headings, paragraphs and bullet lists of a markdown text. The result is rendered as text,
 * so nothing in it can become markup; links and images stay plain text.
 */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let words: string[] = []
  let items: (readonly Span[])[] = []
  const close = () => {
    if (words.length > 0) blocks.push({ kind: 'paragraph', spans: spansOf(words.join(' ')) })
    if (items.length > 0) blocks.push({ kind: 'list', items })
    words = []
    items = []
  }
  for (const line of markdown.split(/\r?\n/)) {
    const heading = /^(#{1,6})\s+(.+)$/.exec(line)
    const item = /^\s*[-*]\s+(.+)$/.exec(line)
    if (heading !== null) {
      close()
      const [, marks = '', text = ''] = heading
      blocks.push({ kind: 'heading', level: marks.length, spans: spansOf(text) })
    } else if (item !== null) {
      if (words.length > 0) close()
      items.push(spansOf(item[1] ?? ''))
    } else if (line.trim() === '') close()
    else {
      if (items.length > 0) close()
      words.push(line.trim())
    }
  }
  close()
  return blocks
}
