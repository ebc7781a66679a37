const TOKENS = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g

/**
 * Whether an object in a JSON text, at any depth, repeats a name; parsers differ in which value
 * they use.
 * @param json text that `JSON.parse` accepts
 */
export function repeatsNames(json: string): boolean {
  const open: Set<unknown>[] = []
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const name: unknown = JSON.parse(token.slice(0, -colon.length))
      const names = open.at(-1)
      if (names?.has(name) === true) return true
      names?.add(name)
    }
  }
  return false
}
