import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A type that repeats the properties of a type of the contract. */
export interface RepeatedType {
  /** Path relative to the root of the tree. */
  readonly file: string
  readonly line: number
  /** Name of the declaration, or of the one that contains it. */
  readonly name: string
  readonly properties: readonly string[]
  /** A type of the contract with the same properties. */
  readonly repeats: string
}

/** Fewer properties than these coincide by chance. */
const MIN_PROPERTIES = 3
const CLIENTS = ['renderer', 'backend/cli']

const keyOf = (names: readonly string[]): string => names.toSorted().join(' ')

/** The script of a component, with its line numbers in the file. */
function scriptOf(text: string): string {
  const match = /<script[^>]*>([\s\S]*?)<\/script>/.exec(text)
  if (match === null) return ''
  const before = text.slice(0, match.index + match[0].indexOf('>') + 1)
  return before.replace(/[^\n]/g, ' ') + (match[1] ?? '')
}

/** Names of the properties of an interface or of a type literal, without those it inherits. */
const ownNames = (members: ts.NodeArray<ts.TypeElement>): string[] =>
  members.flatMap((member) =>
    ts.isPropertySignature(member) && ts.isIdentifier(member.name) ? [member.name.text] : [],
  )

/** Every type that a file declares or writes inline, with at least three properties. */
function writtenTypes(file: string, text: string): Omit<RepeatedType, 'repeats'>[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Omit<RepeatedType, 'repeats'>[] = []
  const visit = (node: ts.Node, within: string): void => {
    const isNamed = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
    const name = isNamed ? node.name.text : within
    if (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node)) {
      const properties = ownNames(node.members)
      if (properties.length >= MIN_PROPERTIES && properties.length === node.members.length) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
        found.push({ file, line: line + 1, name, properties })
      }
    }
    ts.forEachChild(node, (child) => visit(child, name))
  }
  visit(source, 'inline')
  return found
}

/** Property names of every object type of the contract, also of those inside others, with a name. */
function contractShapes(root: string): ReadonlyMap<string, string> {
  const files = globSync('backend/contract/**/*.ts', { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  )
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, root)
  const program = ts.createProgram(
    files.map((path) => join(root, path)),
    options,
  )
  const checker = program.getTypeChecker()
  const shapes = new Map<string, string>()
  const seen = new Set<ts.Type>()
  const collect = (type: ts.Type, name: string): void => {
    if (seen.has(type)) return
    seen.add(type)
    if (type.isUnionOrIntersection()) {
      for (const part of type.types) collect(part, name)
      if (type.isUnion()) return
    }
    const element = checker.getIndexTypeOfType(type, ts.IndexKind.Number)
    if (element !== undefined) return collect(element, name)
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0) return
    if (type.getCallSignatures().length > 0) return
    const properties = checker.getPropertiesOfType(type)
    const key = keyOf(properties.map((property) => property.name))
    if (properties.length >= MIN_PROPERTIES && !shapes.has(key)) shapes.set(key, name)
    for (const property of properties) {
      collect(checker.getTypeOfSymbol(property), `${name}.${property.name}`)
    }
  }
  for (const file of files) {
    const source = program.getSourceFile(join(root, file))
    if (source === undefined) continue
    ts.forEachChild(source, (node) => {
      const isType = ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)
      // Query types are not shapes that a client writes.
      if (!isType || node.name.text.endsWith('Query')) return
      collect(checker.getTypeAtLocation(node.name), node.name.text)
    })
  }
  return shapes
}

/**
 * Types of the page and the command line that repeat a type of the contract: at least three properties,
 * all with the same names.
 * @param root of a tree with `backend/contract`, `tsconfig.json` and the packages that schemas need
 */
export function repeatedTypes(root: string): RepeatedType[] {
  const shapes = contractShapes(root)
  const files = CLIENTS.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,svelte}`, { cwd: root }),
  ).filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  return files.toSorted().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const written = writtenTypes(file, file.endsWith('.svelte') ? scriptOf(text) : text)
    return written.flatMap((type) => {
      const repeats = shapes.get(keyOf(type.properties))
      return repeats === undefined ? [] : [{ ...type, repeats }]
    })
  })
}
