import ts from 'typescript'

/** One change to a source text: `replacement` in place of the text from `from` to `to`. */
export interface Mutation {
  readonly line: number
  /** What changes, to be read by a person. */
  readonly text: string
  readonly from: number
  readonly to: number
  readonly replacement: string
}

type Kind = ts.SyntaxKind

const OPERATORS: ReadonlyMap<Kind, string> = new Map([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
])

/**
 * Properties that place what the page draws, in pixels or columns. Tests without a browser have no
 * layout, so that they cannot see a change of one.
 */
const LAYOUT =
  /^(width|height|(min|max)(Width|Height)|flexible|shortens|yields|left|right|top|bottom|gap|padding|margin|radius|fontSize|lineWidth|offset[XY]?)$/

/**
 * A record for the operator's log: its text is for people. What must be reported is also in the
 * health of the service, an incident or an answer, where tests look.
 */
function isLogged(node: ts.Node): boolean {
  // A condition for the record alone is part of it.
  if (ts.isIfStatement(node))
    return node.elseStatement === undefined && isLogged(node.thenStatement)
  if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return false
  const { expression } = node.expression
  return (
    ts.isPropertyAccessExpression(expression) &&
    /^(?:debug|info|warn|error)$/.test(expression.name.text) &&
    /\b(?:log|logger)$/i.test(expression.expression.getText())
  )
}

/** The whole body of a loop: without it most loops never end, which every test notices. */
const isLoopBody = (node: ts.Node): boolean =>
  ts.isIterationStatement(node.parent, false) && node.parent.statement === node

/**
 * A comparison that orders two values (`a < b ? -1 : …`): where both are equal, either order is
 * right.
 */
function isOrdering({ parent }: ts.Node): boolean {
  if (!ts.isConditionalExpression(parent)) return false
  return [parent.whenTrue, parent.whenFalse].some((branch) => /^-?1$/.test(branch.getText()))
}

/** The 1 or −1 of an order (`a < b ? -1 : 1`): only its sign counts. */
function isOrder(node: ts.Node): boolean {
  const branch = ts.isPrefixUnaryExpression(node.parent) ? node.parent : node
  const { parent } = branch
  if (!ts.isConditionalExpression(parent)) return false
  const { condition, whenTrue, whenFalse } = parent
  const isSign = [whenTrue, whenFalse].every((part) => /^-?1$/.test(part.getText()))
  return isSign && ts.isBinaryExpression(condition) && BOUNDARY.has(condition.operatorToken.kind)
}

/**
 * Where a long computation lets other tasks run: its result is the same without, and the campaign of
 * the event loop measures the pauses.
 */
const isPause = (node: ts.Node): boolean =>
  ts.isExpressionStatement(node) &&
  ts.isYieldExpression(node.expression) &&
  node.expression.expression === undefined

const BOUNDARY: ReadonlySet<Kind> = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
])

/** A value that only places something on the page. */
function isLayout(node: ts.Node, path: string): boolean {
  if (!path.startsWith('renderer/') || ts.isSourceFile(node)) return false
  const { parent } = node
  const isNamed = ts.isPropertyAssignment(parent) && parent.initializer === node
  return isNamed && LAYOUT.test(parent.name.getText())
}

/** Every change of one operator, condition, constant or statement of a file. */
export function mutationsOf(path: string, text: string): Mutation[] {
  const code = path.endsWith('.svelte') ? scriptOf(text) : text
  const source = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
  const found: Mutation[] = []
  const add = (node: ts.Node, replacement: string): void => {
    const from = node.getStart(source)
    const textOf = (part: string): string =>
      part.replace(/\s+/g, ' ').replaceAll('|', '¦').slice(0, 70)
    const change = replacement === ';' ? 'dropped' : `→ ${textOf(replacement)}`
    const line = source.getLineAndCharacterOfPosition(from).line + 1
    found.push({
      line,
      text: `${textOf(node.getText(source))} ${change}`,
      from,
      to: node.end,
      replacement,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isInterfaceDeclaration(node))
      return
    if (isLayout(node, path) || isLogged(node) || isPause(node)) return
    if (ts.isIfStatement(node) || ts.isWhileStatement(node)) negate(node.expression, add)
    if (ts.isConditionalExpression(node)) negate(node.condition, add)
    if (ts.isBinaryExpression(node)) {
      const swapped = OPERATORS.get(node.operatorToken.kind)
      const isTie = BOUNDARY.has(node.operatorToken.kind) && isOrdering(node)
      if (swapped !== undefined && !isText(node) && !isTie) add(node.operatorToken, swapped)
    }
    if (ts.isNumericLiteral(node) && !isOrder(node)) add(node, `${node.getText(source)} + 1`)
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false')
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true')
    if (ts.isExpressionStatement(node) && !isLoopBody(node)) add(node, ';')
    if (ts.isReturnStatement(node) && node.expression === undefined) add(node, ';')
    if (isInnerStatement(node)) add(node, `return\n${node.getText(source)}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const negate = (condition: ts.Expression, add: (node: ts.Node, text: string) => void): void =>
  add(condition, `!(${condition.getText()})`)

/** A text that is put together: its parts have no order or sign. */
const isText = ({ left, right }: ts.BinaryExpression): boolean =>
  [left, right].some((part) => ts.isStringLiteralLike(part) || ts.isTemplateExpression(part))

/** A statement after the first of a function without a value, where it may return early. */
function isInnerStatement(node: ts.Node): boolean {
  const block = node.parent as ts.Node | undefined
  if (!ts.isExpressionStatement(node) || block === undefined || !ts.isBlock(block)) return false
  return ts.isFunctionLike(block.parent) && block.statements[0] !== node
}

/** The scripts of a component, each at its own place: everything around them is blank. */
function scriptOf(component: string): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ')
  let script = ''
  for (const { index, 0: match } of component.matchAll(
    /(?<=<script\b[^>]*>)[\s\S]*?(?=<\/script>)/g,
  )) {
    script += blank(component.slice(script.length, index)) + match
  }
  return script
}
