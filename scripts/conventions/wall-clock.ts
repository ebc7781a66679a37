import ts from 'typescript'

const BACKEND = /^backend\/.*\.ts$/

/** The only file of the backend that reads the wall clock. */
const CLOCK = 'backend/lib/clock.ts'

/** Lines of the backend with `new Date()` or `Date(…)`, which read the wall clock; 1-based. */
export function wallClockReads(path: string, tree: ts.SourceFile): number[] {
  if (!BACKEND.test(path) || path === CLOCK) return []
  const lines: number[] = []
  const visit = (node: ts.Node): void => {
    const isRead =
      (ts.isNewExpression(node) && isDate(node.expression) && !node.arguments?.length) ||
      (ts.isCallExpression(node) && isDate(node.expression))
    if (isRead) lines.push(tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return lines
}

function isDate(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text === 'Date'
}
