/** A case that is provoked on a device, and the conditions that must hold afterwards. */
export interface Case {
  readonly name: string;
  /** @throws with a message if a condition does not hold */
  run(setting: Setting): Promise<void>;
}

export interface Setting {
  /** The device number. */
  readonly device: number;
  /** The path of the addon that makes a device fail: dist/polybin_fault.node of a build. */
  readonly fault: string;
  readonly log: (line: string) => void;
}

export function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** Returns the error with which a promise rejects. It must reject soon. */
export async function rejection(of: Promise<unknown>, what: string): Promise<unknown> {
  return soon(
    of.then(
      () => Promise.reject(new Error(`expected that ${what} is rejected but it was not`)),
      (error: unknown) => error,
    ),
    what,
  );
}

/** The same for an error with this code. */
export async function rejectsWith(of: Promise<unknown>, code: string, what: string): Promise<void> {
  const error = await rejection(of, what);
  const found = (error as { code?: string }).code;
  check(found === code, `expected ${code} of ${what} but received ${found}: ${(error as Error).message}`);
}

const SECONDS = 120;

/** Returns the result of a promise, with a time limit. */
export async function soon<T>(of: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took more than ${SECONDS} s`)), SECONDS * 1000);
  });
  try {
    return await Promise.race([of, late]);
  } finally {
    clearTimeout(timer);
  }
}
