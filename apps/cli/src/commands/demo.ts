export async function demo(_: AbortSignal): Promise<void> {}
