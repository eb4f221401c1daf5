// For samples that are counted one at a time.

fn countSteps(first: u32, threads: u32) {}
