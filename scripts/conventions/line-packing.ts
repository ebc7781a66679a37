import ts from 'typescript'

/** Lines where a spread of a literal only keeps several things on one line; 1-based. */
export function packedLines(tree: ts.SourceFile): number[] {
  const lines: number[] = []
  const visit = (node: ts.Node): void => {
    const isPacked =
      (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) ||
      (ts.isSpreadElement(node) && ts.isArrayLiteralExpression(node.expression))
    if (isPacked) lines.push(tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return lines
}
