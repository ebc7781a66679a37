import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** One source file of the repository. */
export interface Source {
  /** Relative to the repository's root, with slashes. */
  readonly path: string
  readonly text: string
}

/** A comment or a declared name, with the line on which it starts. */
export interface Excerpt {
  readonly line: number
  readonly text: string
}

const CODE = /\.(m?ts|svelte|m?js)$/
const SCRIPT = /<script[^>]*>([\s\S]*?)<\/script>/g

/** All code files that git tracks below `root`. */
export function sourcesBelow(root: string): Source[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 1 << 26 })
  return listed
    .toString()
    .split('\0')
    .filter((path) => CODE.test(path))
    .map((path) => ({ path, text: readFileSync(`${root}/${path}`, 'utf8') }))
}

/** The script of a component keeps its line numbers; its markup becomes blank lines. */
function scriptOf({ path, text }: Source): string {
  if (!path.endsWith('.svelte')) return text
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ')
  let script = ''
  let end = 0
  for (const match of text.matchAll(SCRIPT)) {
    const body = match[1] ?? ''
    const start = match.index + match[0].indexOf('>') + 1
    script += blank(text.slice(end, start)) + body
    end = start + body.length
  }
  return script + blank(text.slice(end))
}

/** The syntax tree of a file's script. */
export const treeOf = (source: Source): ts.SourceFile =>
  ts.createSourceFile(`${source.path}.ts`, scriptOf(source), ts.ScriptTarget.Latest, true)

const lineOf = (tree: ts.SourceFile, position: number): number =>
  tree.getLineAndCharacterOfPosition(position).line + 1

/** Every comment of a file, in order. */
export function commentsOf(tree: ts.SourceFile): Excerpt[] {
  const found = new Map<number, Excerpt>()
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(tree.text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(tree.text, node.getEnd()) ?? []),
    ]
    for (const { pos, end } of ranges) {
      found.set(pos, { line: lineOf(tree, pos), text: tree.text.slice(pos, end) })
    }
    node.getChildren(tree).forEach(visit)
  }
  visit(tree)
  return [...found.values()]
}

/** Every name that a file declares: functions, types, variables, parameters, members. */
export function namesOf(tree: ts.SourceFile): Excerpt[] {
  const found: Excerpt[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const parent = node.parent as ts.Node & { readonly name?: ts.Node }
      const isDeclared = parent.name === node && !ts.isPropertyAccessExpression(parent)
      if (isDeclared) found.push({ line: lineOf(tree, node.getStart(tree)), text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

const TAG_TEXT = /(?<=[>}])[^<>{}]*[a-z][^<>{}]*(?=[<{])/gi
const ATTRIBUTE_TEXT = /\b(?:title|label|aria-label|placeholder|text|what|words)="([^"{}]+)"/g
const MARKUP_COMMENT = /<!--([\s\S]*?)-->|\/\*([\s\S]*?)\*\//g

/** Texts and comments of a component's markup and styles; empty for other files. */
export function markupTextsOf({ path, text }: Source): Excerpt[] {
  if (!path.endsWith('.svelte')) return []
  const markup = text.replace(SCRIPT, (script) => script.replace(/[^\n]/g, ' '))
  return [TAG_TEXT, ATTRIBUTE_TEXT, MARKUP_COMMENT]
    .flatMap((pattern) => [...markup.matchAll(pattern)])
    .map((match) => ({ line: text.slice(0, match.index).split('\n').length, text: match[0] }))
}

/** The text of a string literal or a template, without the template's expressions. */
function textOf(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return ''
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)]
    .map(({ text }) => text)
    .join('…')
}

/** The functions of a test runner that take a title. */
const TITLED = new Set(['describe', 'it', 'test'])

/** The name at the start of a call such as `it.each(rows)(title, run)`; empty for other calls. */
function calledName(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) {
    return calledName(node.expression)
  }
  return ts.isTaggedTemplateExpression(node) ? calledName(node.tag) : ''
}

/** The titles of tests and of groups of tests. */
export function titlesOf(tree: ts.SourceFile): Excerpt[] {
  const found: Excerpt[] = []
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : []
    const isTitled = ts.isCallExpression(node) && TITLED.has(calledName(node.expression))
    const text = isTitled && title !== undefined ? textOf(title) : ''
    if (text !== '') found.push({ line: lineOf(tree, node.getStart(tree)), text })
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

/** String literals and templates of several words: messages, labels and descriptions. */
export function messagesOf(tree: ts.SourceFile): Excerpt[] {
  const found: Excerpt[] = []
  const visit = (node: ts.Node): void => {
    const text = textOf(node)
    if (/[a-z] [a-z]/i.test(text)) found.push({ line: lineOf(tree, node.getStart(tree)), text })
    else ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
