module callee

go 1.22
