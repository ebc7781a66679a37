/**
 * Reports violations of this repository's conventions: avoided words in names, comments, titles of
 * tests and messages, spreads that only pack lines, disabled formatting and lint rules, reads of the
 * wall clock, property tests without a seed and crowded folders. Exits with 1 when there are any.
 * `--summary` prints counts by top folder instead of every finding.
 */
import { join } from 'node:path'
import { dialectIn, dialectInName, PROSE_TERMS } from './dialect.ts'
import { crowdedFolders, MAX_FILES } from './folders.ts'
import { packedLines } from './line-packing.ts'
import { isLintDirective } from './lint-directives.ts'
import { commentsOf, markupTextsOf, messagesOf, namesOf, titlesOf } from './sources.ts'
import { sourcesBelow, treeOf, type Source } from './sources.ts'
import { wallClockReads } from './wall-clock.ts'

interface Finding {
  readonly kind:
    | 'comment'
    | 'title'
    | 'message'
    | 'name'
    | 'packed'
    | 'ignored'
    | 'clock'
    | 'unseeded'
    | 'folder'
  readonly path: string
  readonly line: number
  readonly message: string
}

/** Property tests import their checker from this file, which sets the seed. */
const PROPERTIES = 'scripts/properties.ts'
const UNSEEDED = /from 'fast-check'/

/** Test data and lists of words that users type quote all kinds of texts. */
const QUOTING =
  /\.(test|spec)\.ts$|^(backend\/testing|e2e|bench)\/|\/finder\/(common-words|vocabulary)\.ts$/

/** The lists of words contain the words they avoid. */
const EXEMPT = /^scripts\/conventions\//

function findingsOf(source: Source): Finding[] {
  if (EXEMPT.test(source.path)) return []
  const tree = treeOf(source)
  const { path } = source
  const comments = commentsOf(tree)
  const inComments = comments.flatMap(({ line, text }) =>
    dialectIn(text, PROSE_TERMS).map((message): Finding => {
      return { kind: 'comment', path, line, message }
    }),
  )
  const inTitles = titlesOf(tree).flatMap(({ line, text }) =>
    dialectIn(text, PROSE_TERMS).map((message): Finding => {
      return { kind: 'title', path, line, message }
    }),
  )
  const messages = [...markupTextsOf(source), ...(QUOTING.test(path) ? [] : messagesOf(tree))]
  const inMessages = messages.flatMap(({ line, text }) =>
    dialectIn(text).map((message): Finding => ({ kind: 'message', path, line, message })),
  )
  const inNames = namesOf(tree).flatMap(({ line, text }) =>
    dialectInName(text).map((message): Finding => ({ kind: 'name', path, line, message })),
  )
  const packed = packedLines(tree).map((line): Finding => {
    return { kind: 'packed', path, line, message: 'write the literal without the spread' }
  })
  const ignored = comments
    .filter(({ text }) => text.includes('prettier-ignore'))
    .map(({ line }): Finding => {
      return { kind: 'ignored', path, line, message: 'leave formatting to the formatter' }
    })
  const disabled = comments
    .filter(({ text }) => isLintDirective(text))
    .map(({ line }): Finding => {
      return { kind: 'ignored', path, line, message: 'lint rules hold for every line' }
    })
  const clock = wallClockReads(path, tree).map((line): Finding => {
    return { kind: 'clock', path, line, message: 'time comes from the injected Clock' }
  })
  const unseeded: Finding[] =
    UNSEEDED.test(source.text) && path !== PROPERTIES
      ? [{ kind: 'unseeded', path, line: 1, message: `import the checker from ${PROPERTIES}` }]
      : []
  return [
    ...inComments,
    ...inTitles,
    ...inMessages,
    ...inNames,
    ...packed,
    ...ignored,
    ...disabled,
    ...clock,
    ...unseeded,
  ]
}

function summaryOf(findings: readonly Finding[]): string {
  const counts = new Map<string, number>()
  for (const { kind, path } of findings) {
    const place = `${kind.padEnd(8)} ${path.split('/').slice(0, 2).join('/')}`
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  return [...counts]
    .sort()
    .map(([place, count]) => `${place} ${count}`)
    .join('\n')
}

const sources = sourcesBelow(join(import.meta.dirname, '../..'))
const crowded = crowdedFolders(sources.map(({ path }) => path))
const findings: Finding[] = [
  ...sources.flatMap(findingsOf),
  ...crowded.map(({ folder, files }): Finding => {
    const message = `${files} files; group them by concept (${MAX_FILES} at most)`
    return { kind: 'folder', path: folder, line: 0, message }
  }),
]
if (findings.length > 0) {
  const lines = findings.map(({ path, line, message }) => `${path}:${line} ${message}`)
  console.log(process.argv.includes('--summary') ? summaryOf(findings) : lines.join('\n'))
  process.exitCode = 1
}
console.log(`${sources.length} files, ${findings.length} findings`)
